import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import pg from 'pg';
import request, { type Response, type Test } from 'supertest';
import type { NewUser } from '../../src/modules/users/user-creation.js';
import type { AppService } from './app-service.js';
import { Contract, type WebhookBody } from './contract.js';
import { TestDatabase } from './database.js';
import { deepFreeze, inlineReferences } from './document.js';
import { recordExchange } from './exchanges.js';
import { mailsTo, type ReceivedMail } from './mailbox.js';
import { RemoteApp } from './remote-app.js';

/** A user with an active session. */
export interface Person {
  id: string;
  resourceId: string;
  name: string;
  email: string;
  token: string;
}

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete' | 'head' | 'options';
type Database = Pick<TestDatabase, 'query' | 'one'>;

/** Returns the contract of the run. All files share it: it takes half a second, and no setting changes the document. */
export async function contractOf(service: AppService): Promise<Contract> {
  const run = process.env.TEST_DIR ?? '';
  const known = sharedByFiles.get(run) as Contract | undefined;
  if (known !== undefined) return known;
  const made = new Contract(deepFreeze(inlineReferences(await service.document())));
  sharedByFiles.set(run, made);
  return made;
}

/** The whole service on a fresh database, with helpers that create users and data and send requests. */
export class TestApp<D extends Database = Database> {
  private turn = 0;
  /** Queries the database as its owner, who has rights that the role of the service lacks. */
  readonly observer: TestDatabase;

  protected constructor(
    readonly service: AppService,
    private readonly contract: Contract,
    readonly database: D,
  ) {
    this.observer = database instanceof TestDatabase ? database : new TestDatabase(service.connection);
  }

  /**
   * Starts the service on a fresh database; `environment` overrides the settings. With `beside`, starts another replica
   * on the database of that instance.
   */
  static async open(environment: Record<string, string> = {}, beside?: TestApp): Promise<TestApp> {
    const service = await RemoteApp.start({ environment, connection: beside?.service.connection });
    return new TestApp(service, await contractOf(service), new TestDatabase(service.connection));
  }

  async close(): Promise<void> {
    await this.observer.close();
    await this.service.stop();
  }

  get document(): OpenAPIObject {
    return this.contract.document;
  }

  /** Throws if the body, which a webhook received, contradicts the document. */
  checkWebhook(body: string): void {
    this.contract.checkWebhook(JSON.parse(body) as WebhookBody);
  }

  get dataDir(): string {
    return this.service.dataDir;
  }

  /** The port of a replica. */
  port(replica = 0): number {
    return this.service.ports[replica];
  }

  /** Sends the mails that are due, and returns all mails to that address, newest first. */
  async mail(address: string): Promise<ReceivedMail[]> {
    await this.service.sendMails();
    return mailsTo(address, join(this.dataDir, 'mail'));
  }

  /** Opens a connection to the database for statements that run concurrently with the service. */
  async openConnection(): Promise<pg.Client> {
    const client = new pg.Client(this.service.connection);
    await client.connect();
    return client;
  }

  /** The number of statements that contain the text and wait for a lock. */
  async waiting(text = ''): Promise<number> {
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0`;
    return (await this.observer.query(waiting, [text])).length;
  }

  /** Returns once that many statements wait for a lock. */
  async untilLockWaits(most: number): Promise<void> {
    while ((await this.waiting()) < most) await sleep(10);
  }

  /** Creates a signed-in user; `admin()` creates an administrator. */
  async person(name = 'Ann', more: Partial<NewUser> = {}): Promise<Person> {
    const email =
      more.email ?? `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@example.test`;
    return { name, email, ...(await this.service.enroll({ ...more, name, email })) };
  }

  /** Opens another session of the user. */
  async signInAgain(person: Person): Promise<Person> {
    return { ...person, token: await this.service.openSession(person.id) };
  }

  /** Keeps the sign-ins of all sessions recent for operations that ask for a proof, however long the tests run. */
  async keepProofs(): Promise<void> {
    await this.database.query(`UPDATE sessions SET proved_at = now() + interval '1 day'`);
  }

  admin(name = 'Ada'): Promise<Person> {
    return this.person(name, { isAdmin: true });
  }

  /** Creates an endeavour of that user's and returns its id. */
  async endeavour(owner: Person, body: object = {}): Promise<string> {
    const { body: response } = await this.as(owner)
      .post('/endeavours')
      .send({ name: 'Garden', ...body })
      .expect(201);
    return response.data.id;
  }

  /** Creates an organization of that user's and returns its id. */
  async organization(owner: Person, body: object = {}): Promise<string> {
    const { body: response } = await this.as(owner)
      .post('/organizations')
      .send({ name: 'Riverside', ...body })
      .expect(201);
    return response.data.id;
  }

  /** Creates a task in that endeavour and returns its id. */
  async task(person: Person, endeavour: string, body: object = {}): Promise<string> {
    const sent = { title: 'Paint the gate', endeavour_id: endeavour, ...body };
    const { body: response } = await this.as(person).post('/tasks').send(sent).expect(201);
    return response.data.id;
  }

  /** Creates a demand in that endeavour and returns its id. */
  async demand(person: Person, endeavour: string, body: object = {}): Promise<string> {
    const sent = { type: 'story', title: 'Visitors find the exit', endeavour_id: endeavour, ...body };
    const { body: response } = await this.as(person).post('/demands').send(sent).expect(201);
    return response.data.id;
  }

  /** Gives a user a role in an endeavour or organization, without checking permissions. */
  async join(container: string, person: Person, role: string, stakeholderRoles: string[] = []): Promise<void> {
    const isEndeavour = container.startsWith('edv_');
    await this.database.query(
      isEndeavour
        ? `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role, stakeholder_roles) VALUES ($1, $2, $3, $4, $5)`
        : `INSERT INTO organization_resources (organization_id, user_id, resource_id, role) VALUES ($1, $2, $3, $4)`,
      [container, person.id, person.resourceId, role, ...(isEndeavour ? [stakeholderRoles] : [])],
    );
  }

  /** Links an endeavour to an organization, without any check; the first organization becomes its home. */
  async link(organization: string, endeavour: string): Promise<void> {
    await this.database.query('INSERT INTO organization_endeavours (organization_id, endeavour_id) VALUES ($1, $2)', [
      organization,
      endeavour,
    ]);
    await this.database.query('UPDATE endeavours SET organization_id = $1 WHERE id = $2 AND organization_id IS NULL', [
      organization,
      endeavour,
    ]);
  }

  /** The number of rows of a table. */
  async count(table: string): Promise<number> {
    const row = await this.database.one<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${table}`);
    return row?.rows ?? 0;
  }

  /** The operation at that path when it has ended: on a busy machine, that takes longer than one request waits. */
  async ended(person: Person | null, path: string): Promise<Response> {
    for (;;) {
      const response = await this.as(person).get(path).set('Prefer', 'wait=20').expect(200);
      if (response.body.data.finished_at !== null) return response;
    }
  }

  /** Sends requests under `/api/v1` as that user, or without a token. */
  as(person: Person | null): Record<Method, (path: string) => Test> {
    const call = (method: Method) => (path: string) => {
      this.turn += 1;
      const agent = request(`http://127.0.0.1:${this.port(this.turn % this.service.ports.length)}`);
      const full = /^\/($|api\/|health\/|version(?:\?|$))/.test(path) ? path : `/api/v1${path}`;
      const test = agent[method](full).expect((response) => {
        recordExchange(this.service, response);
        const { status, headers, text } = response;
        this.contract.check({
          method,
          path: full,
          status,
          contentType: headers['content-type'],
          headers: Object.keys(headers),
          text,
        });
      });
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
