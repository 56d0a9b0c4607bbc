import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ClusterMachine } from './cluster-machine.mjs';
import { ClusterProgram, FILES, PROGRAMS } from './cluster-programs.mjs';
import { withDatabase } from './database.mjs';
import { cleanEnvironment, freePort, ROOT, temporaryFolder } from './programs.mjs';

const MACHINES = ['db-1', 'db-2', 'db-3'];
const run = promisify(execFile);

const PATIENCE_MS = 180_000;

const secret = () => randomBytes(16).toString('hex');
const SUPERUSER = secret();
const SERVICE = secret();
const PASSWORDS = {
  PATRONI_RESTAPI_PASSWORD: secret(),
  PATRONI_SUPERUSER_PASSWORD: SUPERUSER,
  PATRONI_REPLICATION_PASSWORD: secret(),
  PATRONI_REWIND_PASSWORD: secret(),
};

/** The cluster of deploy/cluster as processes on the loopback address: three machines, haproxy and PgBouncer before them. */
export class Cluster {
  /** Starts everything, and creates the role and the database of the service. */
  static async start() {
    const cluster = new Cluster();
    await cluster.#startMachines();
    await cluster.#startProxy();
    await cluster.isWhole();
    await cluster.#createDatabase();
    await cluster.#startPooler();
    return cluster;
  }

  async #startMachines() {
    const folder = temporaryFolder('cluster');
    const owned = ownedByUser();
    this.folder = folder;
    this.machines = [];
    for (const name of MACHINES) this.machines.push(await new ClusterMachine(name, folder).prepare(owned));
    for (const machine of this.machines) machine.launchEtcd(this.machines);
    // Patroni ends if etcd has not decided yet with which version its members talk; systemd would start it again.
    await eventually('etcd', async () => (await this.machines.at(0).etcdVersion()) !== 'not_decided');
    for (const machine of this.machines) await machine.launchPatroni(this.machines, PASSWORDS);
  }

  async #startProxy() {
    const file = join(this.folder, 'haproxy.cfg');
    copyFileSync(join(FILES, 'haproxy.cfg'), file);
    this.directPort = await freePort();
    const places = { DATABASE_BIND: `127.0.0.1:${this.directPort}` };
    for (const [index, { postgres, interface: patroni }] of this.machines.entries()) {
      places[`DB_${index + 1}`] = postgres.through;
      places[`DB_${index + 1}_CHECK`] = String(patroni.relay.port);
    }
    this.proxy = new ClusterProgram(PROGRAMS.haproxy, ['-db', '-f', file], places).launch();
  }

  async #createDatabase() {
    const login = { PGHOST: '127.0.0.1', PGPORT: String(this.directPort), PGPASSWORD: SUPERUSER };
    const env = { ...cleanEnvironment(), ...login, DATABASE_PASSWORD: SERVICE };
    await eventually('a database', () => run('sh', [join(ROOT, 'deploy/postgres-init.sh')], { env }));
  }

  async #startPooler() {
    this.poolerPort = await freePort();
    const users = join(this.folder, 'userlist.txt');
    writeFileSync(users, `"worksmith" "${SERVICE}"\n`);
    const changes = {
      worksmith: `host=127.0.0.1 port=${this.directPort} dbname=worksmith`,
      listen_port: this.poolerPort,
      auth_file: users,
    };
    let text = readFileSync(join(FILES, 'pgbouncer.ini'), 'utf8');
    for (const [name, value] of Object.entries(changes)) {
      const line = new RegExp(`^${name} = .*$`, 'm');
      if (!line.test(text)) throw new Error(`deploy/cluster/pgbouncer.ini has no ${name}`);
      text = text.replace(line, `${name} = ${value}`);
    }
    const file = join(this.folder, 'pgbouncer.ini');
    writeFileSync(file, `${text}\nunix_socket_dir =\n`);
    this.pooler = new ClusterProgram(PROGRAMS.pgbouncer, [file]).launch();
    await eventually('PgBouncer', () => withDatabase({ connectionString: this.databaseUrl }, () => true));
  }

  /** Through PgBouncer in transaction mode, for the service. */
  get databaseUrl() {
    return `postgres://worksmith:${SERVICE}@127.0.0.1:${this.poolerPort}/worksmith`;
  }

  /** The primary itself, for migrations and checks. */
  get directUrl() {
    return `postgres://worksmith:${SERVICE}@127.0.0.1:${this.directPort}/worksmith`;
  }

  /** The members as the first machine that answers sees them; `except` is a machine not to ask. */
  async members(except) {
    for (const machine of this.machines) {
      if (machine === except) continue;
      const members = await machine.members();
      if (members !== undefined) return members;
    }
    return [];
  }

  /** Waits until there is a primary, which is not `former`. */
  primary(former) {
    return eventually('a primary', async () => {
      const members = await this.members(former);
      const found = members.find(({ name, role, state }) => {
        return role === 'leader' && state === 'running' && name !== former?.name;
      });
      return found && this.#named(found.name);
    });
  }

  /** Waits until there is a synchronous standby. */
  standby() {
    return eventually('a synchronous standby', async () => {
      const found = (await this.members()).find(({ role }) => role === 'sync_standby');
      return found && this.#named(found.name);
    });
  }

  /** Waits until the primary has two standbys that follow it, one of them synchronous. */
  isWhole() {
    return eventually('a whole cluster', async () => {
      const members = await this.members();
      const count = (key, value) => members.filter((member) => member[key] === value).length;
      const timelines = new Set(members.map(({ timeline }) => timeline));
      const isEach = count('role', 'leader') === 1 && count('role', 'sync_standby') === 1;
      return isEach && count('state', 'streaming') === MACHINES.length - 1 && timelines.size === 1;
    }).catch((error) => {
      const outputs = this.machines.map(({ name, patroni }) => `${name}:\n${patroni.output.slice(-3_000)}`);
      throw new Error(`${error.message}\n${outputs.join('\n')}`, { cause: error });
    });
  }

  #named(name) {
    return this.machines.find((machine) => machine.name === name);
  }
}

/** Gives a folder to the user that runs the programs, if that is not the one of this process. */
function ownedByUser() {
  if (process.getuid() !== 0) return () => undefined;
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [user, group] = [id('-u'), id('-g')];
  return (folder) => chownSync(folder, user, group);
}

/** Repeats until it returns a value that is not false; errors count as none. */
async function eventually(what, find) {
  let last;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(100)) {
    try {
      const found = await find();
      if (found) return found;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`never seen: ${what}`, { cause: last });
}
