#!/bin/sh
# Runs once, when the database is new: the service owns its database and is no superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username=postgres <<'SQL'
CREATE ROLE worksmith LOGIN PASSWORD :'password' CONNECTION LIMIT 60;
CREATE DATABASE worksmith OWNER worksmith ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE worksmith FROM PUBLIC;
SQL
