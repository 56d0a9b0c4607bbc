import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../../../bench/client.mjs';
import { registerCleanup } from './opened.mjs';
import { isAlive, postmasterOf, residentMemory, send } from './processes.mjs';
import { freePort, temporaryFolder, cleanEnvironment, serviceArguments } from './programs.mjs';

/** The administrator of every service that a suite starts. */
export const ADMIN = { email: 'fault@worksmith.example', password: randomBytes(12).toString('hex') };

const OUTPUT_KEPT = 200_000;
const PLENTY = '100000000';
const COMMON = {
  HOST: '127.0.0.1',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  JWT_SECRET: randomBytes(32).toString('hex'),
  PEPPER: randomBytes(32).toString('hex'),
  BCRYPT_COST: '4',
  MAIL: 'files',
  LOG_LEVEL: 'warn',
  // Erasures begin when they are requested.
  ERASURE_DAYS: '0',
  LIMIT_LOGIN_PER_MINUTE: PLENTY,
  LIMIT_REGISTER_PER_HOUR: PLENTY,
  LIMIT_CODES_PER_HOUR: PLENTY,
  LIMIT_MAILS_PER_HOUR: PLENTY,
  LIMIT_MAILS_OF_KIND_PER_HOUR: PLENTY,
  LIMIT_INVITATION_MAILS_PER_DAY: PLENTY,
  LIMIT_INVITATIONS_PER_HOUR: PLENTY,
  LIMIT_ADDITIONS_PER_HOUR: PLENTY,
  LIMIT_PASSWORD_FAILURES_PER_HOUR: PLENTY,
  LIMIT_READS_PER_MINUTE: PLENTY,
  LIMIT_WRITES_PER_MINUTE: PLENTY,
  LIMIT_REQUESTS_AT_ONCE: PLENTY,
};

/**
 * The service in a separate process: with its embedded PostgreSQL, as `npm start` runs it, or as a replica on a given
 * database. It can be killed and launched again with the same data and the same port.
 */
export class Service {
  output = '';
  /** The exit code, or the name of the signal, of each process that has ended. */
  exits = [];
  /** The folder of the release to launch; by default this one. */
  release = undefined;

  constructor(port, databaseUrl, environment) {
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.folder = temporaryFolder('faults');
    this.dataDir = join(this.folder, 'data');
    this.environment = {
      ...cleanEnvironment(),
      ...COMMON,
      PORT: String(port),
      DATA_DIR: this.dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...environment,
    };
  }

  /** Starts a service and waits until it is ready; `environment` overrides its settings. */
  static async start({ databaseUrl, environment = {}, port, release } = {}) {
    const service = new Service(port ?? (await freePort()), databaseUrl, environment);
    service.release = release;
    service.close = registerCleanup(() => service.end());
    service.launch();
    await service.ready();
    return service;
  }

  /** Starts the process (again). */
  launch() {
    const child = spawn(process.execPath, serviceArguments(this.release), {
      // This folder has no .env that could set another database. Only the built service finds its packages from here.
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output = (this.output + text).slice(-OUTPUT_KEPT);
      });
    }
    this.child = child;
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.exits.push(signal ?? code);
      return signal ?? code;
    });
  }

  get isRunning() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until the service is ready; returns the milliseconds that this took. */
  async ready(patience = 300_000) {
    const begun = performance.now();
    while (performance.now() - begun < patience) {
      if (!this.isRunning) throw new Error(`the service ended with ${await this.ended}:\n${this.output}`);
      if (await this.isReady()) return Math.round(performance.now() - begun);
      await pause(10);
    }
    throw new Error(`the service did not become ready within ${patience} ms:\n${this.output}`);
  }

  async isReady() {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetch(`${this.base}/health/ready`, { signal }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    return response?.ok === true;
  }

  /** Sends the process a signal; resolves when the process has ended. */
  kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    return this.ended;
  }

  /** Stops the process; returns its exit code, or the signal that ended it. */
  async stop(patience = 40_000) {
    if (this.isRunning) this.child.kill('SIGTERM');
    const late = pause(patience, undefined, { ref: false }).then(() => {
      throw new Error(`the service did not stop within ${patience} ms:\n${this.output}`);
    });
    return Promise.race([this.ended, late]);
  }

  /** Resident memory of the process, in bytes. */
  get memory() {
    return residentMemory(this.child.pid);
  }

  /** The pid and the connection of its embedded server, if that is running. */
  get postmaster() {
    return postmasterOf(this.dataDir);
  }

  /** A signed-in client, by default of the administrator. */
  signIn({ email, password } = ADMIN) {
    return new Client(this.base).signIn(email, password);
  }

  /** Stops the process, and the database server if that is still running. */
  async end() {
    await this.stop().catch(() => this.kill());
    const pid = this.postmaster?.pid;
    if (pid === undefined) return;
    send(pid, 'SIGINT');
    for (const late = Date.now() + 10_000; isAlive(pid); await pause(50)) if (Date.now() > late) send(pid, 'SIGQUIT');
  }
}
