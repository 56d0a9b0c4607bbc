import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { pino, type Logger } from 'pino';
import { Sessions } from '../../src/access/authentication/sessions.js';
import { makeApp } from '../../src/configure-app.js';
import { SchedulesService } from '../../src/modules/rituals/schedules/schedules.service.js';
import { UserCreation, type NewUser } from '../../src/modules/users/user-creation.js';
import { Passwords } from '../../src/modules/users/passwords.js';
import { userView } from '../../src/modules/users/user.view.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { OperationRegistry } from '../../src/access/operations/operation-registry.js';
import { makeDocument } from '../../src/platform/http/openapi/documents.js';
import { asService } from '../../src/platform/process/service-role.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { MailWorker } from '../../src/platform/mail/mail-worker.js';
import type { AppService, EnrolledUser, StartOptions } from './app-service.js';
import { cloneDatabase, dropDatabase } from './database.js';
import { RecentLines } from './recent-lines.js';

/** How many replicas serve the requests of a test, in turn (`npm run resilience -- races` sets it). */
const REPLICAS = Number(process.env.TEST_REPLICAS ?? 1);

const SECRETS = {
  JWT_SECRET: 'a-signing-key-for-tests-only-0123456789',
  PEPPER: 'a-pepper-for-tests-only-0123456789-abcdef',
};

/** The differences from production: cheap hashes, and no time limit that a busy machine can exceed. */
const DEFAULTS = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'info',
  BCRYPT_COST: '4',
  // The page of the authenticators of tests; the port of the service is not known before it starts.
  WEBAUTHN_ORIGINS: 'http://localhost',
  // Nothing answers there.
  DNS_SERVERS: '127.0.0.1:9',
  WORKERS: 'false',
  DATABASE_CHECKOUT_MS: '600000',
  HEALTH_TIMEOUT_MS: '600000',
  TEMPLATE_TIMEOUT_MS: '60000',
  SEARCH_TIMEOUT_MS: '600000',
  BATCH_SECONDS: '600',
  DIFF_TIMEOUT_MS: '60000',
  // Concurrent requests of a test run concurrently instead of waiting in the queue of the service.
  LIMIT_REQUESTS_AT_ONCE: '100',
  // Tests send more invitations than users do.
  LIMIT_INVITATIONS_PER_HOUR: '100000',
  LIMIT_ADDITIONS_PER_HOUR: '100000',
  ...SECRETS,
};
/** With several replicas a run sends more in a minute than the limits of one user allow. */
const UNLIMITED = { LIMIT_READS_PER_MINUTE: '100000000', LIMIT_WRITES_PER_MINUTE: '100000000' };

/** Runs the service in this process, with the operations that tests need besides requests. */
export class RunningApp implements AppService {
  private constructor(
    readonly replicas: NestFastifyApplication[],
    readonly connection: AppService['connection'],
    readonly dataDir: string,
    private readonly lines: RecentLines,
    private readonly ownsDatabase: boolean,
  ) {}

  /** Starts the service on a free loopback port, as a replica on the database of `connection` or on a fresh one. */
  static async start({ environment, connection }: StartOptions): Promise<RunningApp> {
    const database = connection ?? (await cloneDatabase());
    const dataDir = mkdtempSync(join(process.env.TEST_DIR ?? '', 'data-'));
    const settings = readSettings({ ...DEFAULTS, DATA_DIR: dataDir, ...(REPLICAS > 1 && UNLIMITED), ...environment });
    const lines = new RecentLines();
    const log: Logger = pino({ level: settings.LOG_LEVEL }, lines);
    const replicas: NestFastifyApplication[] = [];
    while (replicas.length < REPLICAS) {
      const secrets = Secrets.load(settings, '');
      const replica = await makeApp({ settings, secrets, connection: asService(database) }, log);
      await replica.listen(0, '127.0.0.1');
      replicas.push(replica);
    }
    return new RunningApp(replicas, database, dataDir, lines, connection === undefined);
  }

  get nest(): NestFastifyApplication {
    return this.replicas[0];
  }

  get ports(): number[] {
    return this.replicas.map((replica) => (replica.getHttpServer().address() as AddressInfo).port);
  }

  async document(): Promise<OpenAPIObject> {
    return makeDocument(this.nest, this.nest.get(OperationRegistry).all);
  }

  async enroll(user: NewUser): Promise<EnrolledUser> {
    const written = await this.nest.get(UserCreation, { strict: false }).create(null, user);
    const { id, resource_id: resourceId } = written.read(userView);
    return { id, resourceId, token: await this.openSession(id) };
  }

  async openSession(userId: string): Promise<string> {
    return (await this.nest.get(Sessions, { strict: false }).open(userId)).token;
  }

  async hashPassword(password: string): Promise<string> {
    return this.nest.get(Passwords, { strict: false }).hash(password);
  }

  async sendMails(): Promise<void> {
    await this.nest.get(MailWorker, { strict: false }).sendDue();
  }

  async runJobs(): Promise<void> {
    await this.nest.get(Jobs, { strict: false }).runDue();
  }

  async startDueRuns(): Promise<void> {
    await this.nest.get(SchedulesService, { strict: false }).runDue();
  }

  async setTime(now: string | null): Promise<void> {
    for (const replica of this.replicas) {
      const clock = replica.get(Clock);
      clock.now = () => (now === null ? new Date() : new Date(now));
    }
  }

  async logOf(requestId: string): Promise<string[]> {
    return this.lines.containing(requestId);
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.close();
    if (this.ownsDatabase) await dropDatabase(this.connection);
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
