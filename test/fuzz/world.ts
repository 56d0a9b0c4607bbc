import { kindOf, newId } from '../../src/common/ids.js';
import { KINDS, type Kind } from '../../src/common/kinds.js';
import { SchedulesService } from '../../src/modules/rituals/schedules/schedules.service.js';
import { Renderer } from '../../src/modules/templates/liquid/renderer.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { MailSecrets } from '../../src/platform/mail/mail-secrets.js';
import { MailWorker } from '../../src/platform/mail/mail-worker.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Placeholder } from './choices.js';
import { Client, type HttpResponse, type Sent } from './client.js';
import { createFixtures, type Fixtures } from './settlement.js';

const DAY_MS = 86_400_000;
const MAX_PER_KIND = 40;
const MAX_ETAGS = 2_000;
const MAX_SECRETS = 6;
const ID = /"([a-z]{3}_[0-9a-f]{32})"/g;
const INVALID_AUTHORIZATIONS: Record<string, string>[] = [
  {},
  { authorization: 'Bearer x.y.z' },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer' },
];
const ALL_KINDS = Object.keys(KINDS) as Kind[];
const LIMITS = Object.fromEntries(
  [
    'LOGIN_PER_MINUTE',
    'REGISTER_PER_HOUR',
    'CODES_PER_HOUR',
    'MAILS_PER_HOUR',
    'MAILS_OF_KIND_PER_HOUR',
    'INVITATION_MAILS_PER_DAY',
    'INVITATIONS_PER_HOUR',
    'ADDITIONS_PER_HOUR',
    'PASSWORD_FAILURES_PER_HOUR',
    'READS_PER_MINUTE',
    'WRITES_PER_MINUTE',
  ].map((name) => [`LIMIT_${name}`, '1000000000']),
);

/** A service with fixtures, and the ids, ETags and secrets in its responses so far. */
export class World {
  private readonly recentIds: Map<Kind, string[]>[] = [new Map(), new Map()];
  private readonly etags = new Map<string, string>();
  private readonly values = {
    email: [] as string[],
    code: [] as string[],
    token: [] as string[],
    cursor: [] as string[],
  };

  private constructor(
    readonly app: InProcessApp,
    readonly client: Client,
    private readonly fixtures: Fixtures,
  ) {
    this.values.email.push(...fixtures.people.map(({ email }) => email));
  }

  static async open(settings: Record<string, string> = {}): Promise<World> {
    const app = await InProcessApp.open({ ...LIMITS, ...settings });
    // Run from its sources, the template renderer takes a second to start, which would count as a slow response.
    await app.nest.get(Renderer, { strict: false }).syntaxErrorOf('warm-up', '');
    return new World(app, new Client(app.port()), await createFixtures(app));
  }

  async close(): Promise<void> {
    this.client.close();
    await this.app.close();
  }

  /** The person that the number selects, with the header of the request; one in twenty has no valid token. */
  callerOf(at: number): { person: number | undefined; authorization: Record<string, string> } {
    if (at % 20 === 19)
      return { person: undefined, authorization: INVALID_AUTHORIZATIONS[at % INVALID_AUTHORIZATIONS.length] };
    const { turns } = this.fixtures;
    const person = turns[at % turns.length];
    return { person, authorization: { authorization: this.authorizationOf(person) } };
  }

  /** The current value of a placeholder for that person. */
  resolve({ of, at, mode }: Placeholder, person: number | undefined): string {
    if (of === 'etag') return this.etagFor('', at);
    if (!Array.isArray(of)) return this.values[of].at(at % Math.max(1, this.values[of].length)) ?? 'none';
    const tenant = this.tenantOf(person);
    const kind = of[at % of.length];
    if (mode === 'absent') return newId(kind);
    if (mode === 'otherKind') return this.existingId(ALL_KINDS[at % ALL_KINDS.length], tenant, at);
    return this.existingId(kind, mode === 'foreign' ? 1 - tenant : tenant, at);
  }

  /** The last ETag of the entity in the path; `"1"` every fifth time, and if there is none. */
  etagFor(path: string, at: number): string {
    const id = /[a-z]{3}_[0-9a-f]{32}/.exec(path)?.[0] ?? '';
    return (at % 5 > 0 ? this.etags.get(id) : undefined) ?? '"1"';
  }

  private tenantOf(person: number | undefined): number {
    return person === undefined ? 0 : this.fixtures.tenants[person];
  }

  /** Every third time an entity that the whole tenant shares, else one of the latest. */
  private existingId(kind: Kind, tenant: number, at: number): string {
    const shared = this.fixtures.shared[tenant][kind] ?? [];
    const made = this.recentIds[tenant].get(kind) ?? [];
    const ids = (at % 3 === 0 && shared.length > 0) || made.length === 0 ? shared : made;
    return ids.length === 0 ? newId(kind) : ids[Math.floor(at / 3) % ids.length];
  }

  /** Remembers the ids, ETag, cursor and token of a response; replaces a person whose session has ended. */
  async learn({ person, headers: asked }: Sent, { status, headers, text }: HttpResponse): Promise<void> {
    if (status === 401 && person !== undefined) await this.replacePerson(person, asked.authorization);
    if (status < 200 || status > 201) return;
    const ids = [...text.slice(0, 3_000).matchAll(ID)].slice(0, 6).map(([, id]) => id);
    for (const id of ids) this.keep(id, this.tenantOf(person));
    if (headers.etag !== undefined && ids.length > 0) this.etags.set(ids[0], headers.etag);
    if (this.etags.size > MAX_ETAGS) this.etags.clear();
    const [, cursor] = /"next_cursor":"([^"]+)"/.exec(text) ?? [];
    if (cursor !== undefined) this.know('cursor', cursor);
    const [, token] = /"token":"([^"]+)"/.exec(text.slice(0, 3_000)) ?? [];
    if (token !== undefined) this.know('token', token);
  }

  private keep(id: string, tenant: number): void {
    const kind = kindOf(id);
    if (kind === undefined) return;
    const ring = this.recentIds[tenant].get(kind) ?? [];
    if (ring.includes(id)) return;
    this.recentIds[tenant].set(kind, [...ring.slice(1 - MAX_PER_KIND), id]);
  }

  private know(what: 'email' | 'code' | 'token' | 'cursor', value: string): void {
    this.values[what] = [...this.values[what].slice(1 - MAX_SECRETS), value];
  }

  /** Replaces a person who is locked out (logged out, suspended, with another password) by one with the same roles. */
  private async replacePerson(person: number, authorization: string): Promise<void> {
    if (authorization === this.authorizationOf(person)) await this.fixtures.replacePerson(person);
  }

  private authorizationOf(person: number): string {
    return `Bearer ${this.fixtures.people[person].token}`;
  }

  /** Sends the due mails and runs the schedules of the next day; returns the errors of mails. */
  async runDueJobs(): Promise<string[]> {
    const { nest, database } = this.app;
    await nest.get(MailWorker, { strict: false }).sendDue();
    const tomorrow = new Date(Date.now() + DAY_MS);
    jest.spyOn(nest.get(Clock), 'now').mockReturnValue(tomorrow);
    await nest.get(SchedulesService, { strict: false }).runDue();
    const failed = await database.query<{ kind: string; error: string }>(
      'SELECT kind, max(last_error) AS error FROM outbox WHERE last_error IS NOT NULL GROUP BY kind',
    );
    return failed.map(({ kind, error }) => `a mail of the kind ${kind} could not be sent\n${error}`);
  }

  /** Sends the due mails, and remembers the addresses, codes and tokens of the latest. */
  async readMails(): Promise<void> {
    await this.app.nest.get(MailWorker, { strict: false }).sendDue();
    const mails = await this.app.database.query<{ id: string; recipient: string }>(
      'SELECT id, recipient FROM outbox ORDER BY created_at DESC LIMIT 3',
    );
    for (const { id, recipient } of mails) {
      const { code, token } = this.app.nest.get(MailSecrets, { strict: false }).attemptOf(id);
      this.know('email', recipient);
      this.know('code', code());
      this.know('token', token());
    }
  }
}
