#!/bin/sh
# Puts the replicas onto the present build and settings one after the other, without a request failing.
set -eu
cd "$(dirname "$0")"
docker compose build migrate
docker compose run --rm migrate
for replica in replica-1 replica-2 replica-3; do
  docker compose up --detach --no-deps --force-recreate --wait "$replica"
  # The proxy asks twice a second; the next replica goes only when it knows this one again.
  sleep 3
done
