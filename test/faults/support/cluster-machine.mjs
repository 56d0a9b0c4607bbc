import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClusterProgram, FILES, PROGRAMS, settingsOf } from './cluster-programs.mjs';
import { childrenOf, isAlive, send } from './processes.mjs';
import { registerCleanup } from './opened.mjs';
import { freePort } from './programs.mjs';
import { TcpProxy } from './tcp-proxy.mjs';

/** What deploy/cluster/patroni.yml leaves to Debian or to the size of a machine. */
const LOCAL = (sockets) => `postgresql:
  parameters: {unix_socket_directories: ${sockets}, shared_buffers: 32MB}
# Otherwise Patroni asks etcd for the addresses of its members, and goes round the relays.
etcd3: {use_proxies: true}
`;

/** A port of the loopback address, and the relay through which everything else reaches it. */
async function relayed() {
  const port = await freePort();
  const relay = await TcpProxy.to({ host: '127.0.0.1', port });
  return { at: `127.0.0.1:${port}`, port, relay, through: `127.0.0.1:${relay.port}` };
}

/**
 * One machine of the cluster: a member of etcd, and PostgreSQL under Patroni, with the files of deploy/cluster. All
 * connections to its PostgreSQL and its Patroni, and those of its Patroni to etcd, pass relays of this process; those
 * between the members of etcd, and those of its Patroni to the others, do not.
 */
export class ClusterMachine {
  #relays = [];

  constructor(name, folder) {
    this.name = name;
    this.folder = folder;
  }

  /** `made` is called with every folder that the programs write to. */
  async prepare(made) {
    this.home = join(this.folder, this.name);
    for (const part of ['', 'etcd', 'configuration']) {
      mkdirSync(join(this.home, part));
      made(join(this.home, part));
    }
    this.etcdClient = await freePort();
    this.etcdPeer = `http://127.0.0.1:${await freePort()}`;
    this.postgres = await relayed();
    this.interface = await relayed();
    this.#relays.push(this.postgres.relay, this.interface.relay);
    return this;
  }

  launchEtcd(machines) {
    const client = `http://127.0.0.1:${this.etcdClient}`;
    const settings = settingsOf('etcd.env', {
      ETCD_NAME: this.name,
      ETCD_DATA_DIR: join(this.home, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: this.etcdPeer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: this.etcdPeer,
      ETCD_INITIAL_CLUSTER: machines.map(({ name, etcdPeer }) => `${name}=${etcdPeer}`).join(),
    });
    this.etcd = new ClusterProgram(PROGRAMS.etcd, ['--log-level', 'warn'], settings).launch();
  }

  async etcdVersion() {
    const answer = await fetch(`http://127.0.0.1:${this.etcdClient}/version`);
    return (await answer.json()).etcdcluster;
  }

  async launchPatroni(machines, passwords) {
    const hosts = [];
    for (const { etcdClient } of machines) {
      const relay = await TcpProxy.to({ host: '127.0.0.1', port: etcdClient });
      this.#relays.push(relay);
      hosts.push(`127.0.0.1:${relay.port}`);
    }
    // Patroni reads all files of a folder, later ones over earlier ones.
    const configuration = join(this.home, 'configuration');
    copyFileSync(join(FILES, 'patroni.yml'), join(configuration, '1.yml'));
    writeFileSync(join(configuration, '2.yml'), LOCAL(this.home));
    this.dataDir = join(this.home, 'postgres');
    const settings = settingsOf('patroni.env', {
      PATRONI_NAME: this.name,
      PATRONI_RESTAPI_LISTEN: this.interface.at,
      PATRONI_RESTAPI_CONNECT_ADDRESS: this.interface.through,
      PATRONI_POSTGRESQL_LISTEN: this.postgres.at,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: this.postgres.through,
      PATRONI_POSTGRESQL_DATA_DIR: this.dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: dirname(PROGRAMS.postgres),
      PATRONI_ETCD3_HOSTS: hosts.join(),
      ...passwords,
    });
    this.patroni = new ClusterProgram(PROGRAMS.patroni, [configuration], { ...settings, HOME: this.home }).launch();
    registerCleanup(async () => {
      // First, because it would start its server again.
      await this.patroni.end('SIGKILL');
      this.killServer();
    });
  }

  /** The pid of its PostgreSQL, if it is running. */
  get postmaster() {
    try {
      const pid = Number(readFileSync(join(this.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return isAlive(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  /** The processes of its PostgreSQL. */
  get server() {
    const { postmaster } = this;
    return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)];
  }

  get #all() {
    return [this.patroni.pid, this.etcd.pid, ...this.server];
  }

  killServer() {
    for (const pid of this.server) send(pid, 'SIGKILL');
  }

  /** As if its power failed; the programs are launched again by {@link restart}. */
  async kill() {
    for (const pid of this.#all) send(pid, 'SIGKILL');
    await Promise.all([this.patroni.ended, this.etcd.ended]);
  }

  restart() {
    this.etcd.launch();
    this.patroni.launch();
  }

  freeze() {
    this.frozen = this.#all;
    for (const pid of this.frozen) send(pid, 'SIGSTOP');
  }

  thaw() {
    for (const pid of this.frozen) send(pid, 'SIGCONT');
  }

  /** Its connections stay open, but nothing passes any more. */
  cutOff() {
    for (const relay of this.#relays) relay.silence();
  }

  /** Connections from before the cut are closed, as those of a network that has forgotten them. */
  reconnect() {
    for (const relay of this.#relays) relay.cut();
  }

  /** The members of the cluster as its Patroni sees them; undefined if it does not answer. */
  async members() {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://${this.interface.at}/cluster`, { signal }).catch(() => undefined);
    const body = await answer?.json().catch(() => undefined);
    return body?.members;
  }
}
