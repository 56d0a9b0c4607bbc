import type { Response } from 'supertest';
import { TestDirectory } from './directory.js';
import type { LyingProvider } from './lying-provider.js';
import { finishAt, signInAt } from './lying-sign-ins.js';
import { CLIENT_ID, CLIENT_SECRET } from './openid-provider.js';
import type { Person, TestApp } from './test-app.js';

/** An organization with a proved domain, a directory, and a provider that says whatever the test wants. */
export class Company {
  private constructor(
    private readonly app: TestApp,
    readonly owner: Person,
    readonly directory: TestDirectory,
    readonly provider: string,
    private readonly liar: LyingProvider,
  ) {}

  static async of(app: TestApp, administrator: Person, liar: LyingProvider): Promise<Company> {
    const owner = await app.person('Olga');
    const directory = await TestDirectory.of(app, owner, administrator);
    const body = {
      name: 'Company',
      issuer: liar.issuer,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      organization_id: directory.organization,
      domains: [directory.domain],
      jit: true,
    };
    const { body: made } = await app.as(owner).post('/identity-providers').send(body).expect(201);
    return new Company(app, owner, directory, made.data.id, liar);
  }

  get organization(): string {
    return this.directory.organization;
  }

  address(): string {
    return this.directory.address();
  }

  /** What a person with that verified address is said to be, and anything else. */
  claims(email: string, more: Record<string, unknown> = {}): Record<string, unknown> {
    return { sub: email, email, email_verified: true, ...more };
  }

  /** The response to a sign-in at the provider. */
  finish(claims: Record<string, unknown>): Promise<Response> {
    return finishAt(this.app, this.liar, this.provider, claims);
  }

  /** The person who has signed in at the provider. */
  signIn(claims: Record<string, unknown>): Promise<Person> {
    return signInAt(this.app, this.liar, this.provider, claims);
  }

  /** The token of an invitation into the organization. */
  async invite(role = 'member'): Promise<string> {
    const body = { organization_id: this.organization, role };
    return (await this.app.as(this.owner).post('/invitations').send(body).expect(201)).body.data.token;
  }

  /** Makes the person a member by an own act, for whom the provider speaks then. */
  async recruit(person: Person, role = 'member'): Promise<Person> {
    const token = await this.invite(role);
    await this.app.as(person).post('/invitations/accept').send({ token }).expect(200);
    return person;
  }

  /** A person with an own account in the domain, who is a member by an own act. */
  async member(more: object = {}): Promise<Person> {
    return this.recruit(await this.app.person('Vic', { email: this.address(), ...more }));
  }

  async roleOf({ id }: Pick<Person, 'id'>): Promise<string | undefined> {
    const row = await this.app.database.one<{ role: string }>(
      'SELECT role FROM organization_resources WHERE organization_id = $1 AND user_id = $2',
      [this.organization, id],
    );
    return row?.role;
  }
}

const PARTS = {
  passkeys: 'SELECT id FROM passkeys WHERE user_id = $1 AND ended_at IS NULL',
  credentials: 'SELECT kind FROM credentials WHERE user_id = $1',
  identities: 'SELECT id FROM identities WHERE user_id = $1 AND ended_at IS NULL',
  sessions: 'SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL',
  tokens: 'SELECT id FROM access_tokens WHERE user_id = $1',
  makers: 'SELECT organization_id FROM organization_accounts WHERE user_id = $1',
  organizations: 'SELECT organization_id, role FROM organization_resources WHERE user_id = $1',
  endeavours: 'SELECT endeavour_id, role FROM endeavour_members WHERE user_id = $1',
} as const;

/** Who an account says it is, who can use it and what for: what no attack on it may change. */
export async function holdingsOf(app: TestApp, { id }: Pick<Person, 'id'>): Promise<Record<string, unknown>> {
  const account = await app.database.one(
    'SELECT name, email, status, user_type, is_admin, password_hash FROM users WHERE id = $1',
    [id],
  );
  const holdings: Record<string, unknown> = { account };
  for (const [name, sql] of Object.entries(PARTS)) {
    const rows = await app.database.query(`${sql} ORDER BY 1`, [id]);
    holdings[name] = rows.map((row) => Object.values(row).join(' '));
  }
  return holdings;
}
