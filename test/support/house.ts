import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import request, { type Test } from 'supertest';
import { makeApp } from '../../src/configure-app.js';
import { Enrollment, type NewUser } from '../../src/modules/users/enrollment.js';
import { Sessions } from '../../src/access/sessions.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { Database } from '../../src/platform/database/database.js';
import { userView } from '../../src/modules/users/user.view.js';
import { MailWorker } from '../../src/platform/mail/mail-worker.js';
import { makeDocument } from '../../src/platform/http/documents.js';
import { Contract } from './contract.js';
import { cloneDatabase } from './database.js';
import { mailsTo, type ReceivedMail } from './mailbox.js';

/** Somebody in a test: a user with a living session. */
export interface Person {
  id: string;
  resourceId: string;
  name: string;
  email: string;
  token: string;
}

/** So many replicas does each house consist of, whom its requests go to in turn (`npm run faults -- history`). */
const REPLICAS = Number(process.env.HOUSE_REPLICAS ?? 1);
/** A long run asks more in a minute than people do. */
const PATIENT = { LIMIT_READS_PER_MINUTE: '100000000', LIMIT_WRITES_PER_MINUTE: '100000000' };

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete' | 'head' | 'options';

/** The vocabulary of the tests: the whole service on a database of its own, and people who use it. */
export class House {
  private turn = 0;

  private constructor(
    private readonly replicas: NestFastifyApplication[],
    private readonly clone: Awaited<ReturnType<typeof cloneDatabase>>,
    private readonly contract: Contract,
    readonly dataDir: string,
  ) {}

  /**
   * Opens a service on a fresh database; `environment` overrides the settings. With `beside` it is another replica, on
   * that one's database.
   */
  static async open(environment: Record<string, string> = {}, beside?: House): Promise<House> {
    const clone = beside === undefined ? await cloneDatabase() : { ...beside.clone, drop: async () => undefined };
    const settings = readSettings({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      BCRYPT_COST: '4',
      WORKERS: 'false',
      // What is tried at once should meet, and not wait in a line.
      LIMIT_REQUESTS_AT_ONCE: '100',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'worksmith-house-')),
      ...SECRETS,
      ...(REPLICAS > 1 && PATIENT),
      ...environment,
    });
    const replicas: NestFastifyApplication[] = [];
    while (replicas.length < REPLICAS) {
      const secrets = Secrets.load(settings, '');
      const replica = await makeApp({ settings, secrets, connection: clone.connection });
      // Listening once is cheaper than for each request, which is what supertest does otherwise.
      if (REPLICAS > 1) await replica.listen(0, '127.0.0.1');
      replicas.push(replica);
    }
    return new House(replicas, clone, new Contract(makeDocument(replicas[0])), settings.DATA_DIR);
  }

  get app(): NestFastifyApplication {
    return this.replicas[0];
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.close();
    await this.clone.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Lets the mails leave that are due, and opens those that ever went to that address, the newest first. */
  async mail(address: string): Promise<ReceivedMail[]> {
    await this.app.get(MailWorker, { strict: false }).sendDue();
    return mailsTo(address, join(this.dataDir, 'mail'));
  }

  get database(): Database {
    return this.app.get(Database);
  }

  /** A connection to the database beside those of the service, for what somebody else does there meanwhile. */
  async outside(): Promise<pg.Client> {
    const client = new pg.Client(this.clone.connection);
    await client.connect();
    return client;
  }

  /** How many statements wait for a lock. */
  async waiting(): Promise<number> {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await this.database.query(waiting)).length;
  }

  /** Comes back once so many statements wait for a lock. */
  async untilWaiting(most: number): Promise<void> {
    while ((await this.waiting()) < most) await sleep(10);
  }

  /** A signed-in user; `admin()` for an administrator. */
  async person(name = 'Ann', more: Partial<NewUser> = {}): Promise<Person> {
    const email =
      more.email ?? `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@example.test`;
    const representation = await this.app.get(Enrollment).enroll(null, { ...more, name, email });
    const user = representation.read(userView);
    const { token } = await this.app.get(Sessions, { strict: false }).open(user.id);
    return { id: user.id, resourceId: user.resource_id, name, email, token };
  }

  /** The same person in another session. */
  async again(person: Person): Promise<Person> {
    const { token } = await this.app.get(Sessions, { strict: false }).open(person.id);
    return { ...person, token };
  }

  admin(name = 'Ada'): Promise<Person> {
    return this.person(name, { isAdmin: true });
  }

  /** An endeavour of that person's; its id. */
  async endeavour(owner: Person, body: object = {}): Promise<string> {
    const { body: answer } = await this.as(owner)
      .post('/endeavours')
      .send({ name: 'Garden', ...body })
      .expect(201);
    return answer.data.id;
  }

  /** An organization of that person's; its id. */
  async organization(owner: Person, body: object = {}): Promise<string> {
    const { body: answer } = await this.as(owner)
      .post('/organizations')
      .send({ name: 'Riverside', ...body })
      .expect(201);
    return answer.data.id;
  }

  /** A task in that endeavour; its id. */
  async task(person: Person, endeavour: string, body: object = {}): Promise<string> {
    const sent = { title: 'Paint the gate', endeavour_id: endeavour, ...body };
    const { body: answer } = await this.as(person).post('/tasks').send(sent).expect(201);
    return answer.data.id;
  }

  /** A demand in that endeavour; its id. */
  async demand(person: Person, endeavour: string, body: object = {}): Promise<string> {
    const sent = { type: 'story', title: 'Visitors find the exit', endeavour_id: endeavour, ...body };
    const { body: answer } = await this.as(person).post('/demands').send(sent).expect(201);
    return answer.data.id;
  }

  /** Gives a person a role in an endeavour or organization, without anybody asking whether they may. */
  async join(container: string, person: Person, role: string, stakeholderRoles: string[] = []): Promise<void> {
    const isEndeavour = container.startsWith('edv_');
    await this.database.query(
      isEndeavour
        ? `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role, stakeholder_roles) VALUES ($1, $2, $3, $4, $5)`
        : `INSERT INTO organization_resources (organization_id, user_id, resource_id, role) VALUES ($1, $2, $3, $4)`,
      [container, person.id, person.resourceId, role, ...(isEndeavour ? [stakeholderRoles] : [])],
    );
  }

  /** Puts an endeavour into an organization, without anybody asking. */
  async link(organization: string, endeavour: string): Promise<void> {
    await this.database.query('INSERT INTO organization_endeavours (organization_id, endeavour_id) VALUES ($1, $2)', [
      organization,
      endeavour,
    ]);
  }

  /** How many rows a table has. */
  async count(table: string): Promise<number> {
    const row = await this.database.one<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${table}`);
    return row?.rows ?? 0;
  }

  /** Requests under `/api/v1` as that person, or as nobody. */
  as(person: Person | null): Record<Method, (path: string) => Test> {
    const call = (method: Method) => (path: string) => {
      this.turn += 1;
      const agent = request(this.replicas[this.turn % this.replicas.length].getHttpServer());
      const full = /^\/($|api\/|health\/)/.test(path) ? path : `/api/v1${path}`;
      const test = agent[method](full).expect(({ status, headers, text }) =>
        this.contract.check({
          method,
          path: full.split('?')[0],
          status,
          contentType: headers['content-type'],
          text,
        }),
      );
      return person === null ? test : test.set('Authorization', `Bearer ${person.token}`);
    };
    return {
      get: call('get'),
      post: call('post'),
      patch: call('patch'),
      put: call('put'),
      delete: call('delete'),
      head: call('head'),
      options: call('options'),
    };
  }
}

const SECRETS = {
  JWT_SECRET: 'a-signing-key-for-tests-only-0123456789',
  PEPPER: 'a-pepper-for-tests-only-0123456789-abcdef',
};
