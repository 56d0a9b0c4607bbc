import { randomBytes } from 'node:crypto';
import request, { type Test } from 'supertest';
import type { Person, TestApp } from './test-app.js';

const TYPE = 'application/scim+json';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** A person or group as SCIM shows it. */
export interface ScimResource {
  id: string;
  [name: string]: unknown;
}

/** An operation of a PATCH. */
export interface ScimOperation {
  op: string;
  path?: string;
  value?: unknown;
}

/** The directory of an organization, which keeps accounts with a provisioning token. */
export class TestDirectory {
  private constructor(
    private readonly app: TestApp,
    readonly organization: string,
    readonly domain: string,
    readonly token: string,
    readonly tokenId: string,
  ) {}

  /** The directory of a new organization of that owner, whose domain an administrator confirms. */
  static async of(app: TestApp, owner: Person, administrator: Person, body: object = {}): Promise<TestDirectory> {
    const organization = await app.organization(owner, body);
    const domain = `d${randomBytes(5).toString('hex')}.test`;
    const provider = {
      name: 'Directory',
      issuer: 'https://login.example.com',
      client_id: 'worksmith',
      organization_id: organization,
      domains: [domain],
    };
    await app.as(administrator).post('/identity-providers').send(provider).expect(201);
    const { id, token } = await TestDirectory.makeToken(app, owner, organization);
    return new TestDirectory(app, organization, domain, token, id);
  }

  static async makeToken(app: TestApp, owner: Person, organization: string): Promise<{ id: string; token: string }> {
    const path = `/organizations/${organization}/scim-tokens`;
    return (await app.as(owner).post(path).send({ name: 'Directory' }).expect(201)).body.data;
  }

  /** The same directory with another token, or on the path of another organization. */
  with({ token = this.token, organization = this.organization }): TestDirectory {
    return new TestDirectory(this.app, organization, this.domain, token, this.tokenId);
  }

  /** An address in the domain of the organization. */
  address(name = `p${randomBytes(5).toString('hex')}`): string {
    return `${name}@${this.domain}`;
  }

  send(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object, type = TYPE): Test {
    const test = request(`http://127.0.0.1:${this.app.port()}`)[method](`/scim/v2/${this.organization}${path}`);
    if (this.token !== '') void test.set('Authorization', `Bearer ${this.token}`);
    return body === undefined ? test : test.set('Content-Type', type).send(JSON.stringify(body));
  }

  get(path: string): Test {
    return this.send('get', path);
  }

  post(path: string, body: object): Test {
    return this.send('post', path, body);
  }

  put(path: string, body: object): Test {
    return this.send('put', path, body);
  }

  /** Sends the operations of a PATCH. */
  patch(path: string, ...operations: ScimOperation[]): Test {
    return this.send('patch', path, { schemas: [PATCH], Operations: operations });
  }

  delete(path: string): Test {
    return this.send('delete', path);
  }

  /** Adds a person, and returns the resource. */
  async add(body: { userName?: string; [name: string]: unknown } = {}): Promise<ScimResource> {
    return (await this.post('/Users', this.user(body)).expect(201)).body;
  }

  /** A person as the directory sends it. */
  user({ userName = this.address(), ...more }: { userName?: string; [name: string]: unknown } = {}): object {
    return { schemas: [USER], userName, active: true, ...more };
  }

  /** Adds a group, and returns the resource. */
  async addGroup(displayName: string, members: readonly string[] = []): Promise<ScimResource> {
    const body = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) };
    return (await this.post('/Groups', body).expect(201)).body;
  }

  /** The ids of the people who meet the filter, in order. */
  async found(filter: string, path = '/Users'): Promise<string[]> {
    const { body } = await this.get(`${path}?filter=${encodeURIComponent(filter)}`).expect(200);
    return body.Resources.map(({ id }: ScimResource) => id);
  }
}
