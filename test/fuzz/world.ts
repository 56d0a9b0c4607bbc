import { kindOf, newId } from '../../src/common/ids.js';
import { KINDS, type Kind } from '../../src/common/kinds.js';
import { SchedulesService } from '../../src/modules/rituals/schedules.service.js';
import { Renderer } from '../../src/modules/templates/liquid/renderer.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { MailSecrets } from '../../src/platform/mail/mail-secrets.js';
import { MailWorker } from '../../src/platform/mail/mail-worker.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Choice } from './choices.js';
import { Client, type Answer, type Sent } from './client.js';
import { settleDown, type Settlement } from './settlement.js';

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
    'PASSWORD_FAILURES_PER_HOUR',
    'READS_PER_MINUTE',
    'WRITES_PER_MINUTE',
  ].map((name) => [`LIMIT_${name}`, '1000000000']),
);

/** A service with people in it, and what is known of the things that they have made so far. */
export class World {
  private readonly rings: Map<Kind, string[]>[] = [new Map(), new Map()];
  private readonly etags = new Map<string, string>();
  private readonly words = {
    email: [] as string[],
    code: [] as string[],
    token: [] as string[],
    cursor: [] as string[],
  };

  private constructor(
    readonly app: InProcessApp,
    readonly client: Client,
    private readonly settlement: Settlement,
  ) {
    this.words.email.push(...settlement.people.map(({ email }) => email));
  }

  static async open(): Promise<World> {
    const app = await InProcessApp.open(LIMITS);
    // From its sources the process that renders templates takes a second to start, which is no answer's fault.
    await app.nest.get(Renderer, { strict: false }).syntaxErrorOf('warm-up', '');
    return new World(app, new Client(app.port()), await settleDown(app));
  }

  async close(): Promise<void> {
    this.client.close();
    await this.app.close();
  }

  /** The person that the number stands for, with their header; one in twenty has no valid token. */
  callerOf(at: number): { person: number | undefined; authorization: Record<string, string> } {
    if (at % 20 === 19)
      return { person: undefined, authorization: INVALID_AUTHORIZATIONS[at % INVALID_AUTHORIZATIONS.length] };
    const { turns } = this.settlement;
    const person = turns[at % turns.length];
    return { person, authorization: { authorization: this.authorizationOf(person) } };
  }

  /** What a choice means to that person now. */
  choose({ of, at, mood }: Choice, person: number | undefined): string {
    if (of === 'etag') return this.etagFor('', at);
    if (!Array.isArray(of)) return this.words[of].at(at % Math.max(1, this.words[of].length)) ?? 'none';
    const tenant = this.tenantOf(person);
    const kind = of[at % of.length];
    if (mood === 'absent') return newId(kind);
    if (mood === 'otherKind') return this.livingOf(ALL_KINDS[at % ALL_KINDS.length], tenant, at);
    return this.livingOf(kind, mood === 'foreign' ? 1 - tenant : tenant, at);
  }

  /** The ETag last seen of what the path names; every fifth time an older one. */
  etagFor(path: string, at: number): string {
    const id = /[a-z]{3}_[0-9a-f]{32}/.exec(path)?.[0] ?? '';
    return (at % 5 > 0 ? this.etags.get(id) : undefined) ?? '"1"';
  }

  private tenantOf(person: number | undefined): number {
    return person === undefined ? 0 : this.settlement.tenants[person];
  }

  /** Every third time something that all of its tenant share, else one of the latest. */
  private livingOf(kind: Kind, tenant: number, at: number): string {
    const shared = this.settlement.shared[tenant][kind] ?? [];
    const made = this.rings[tenant].get(kind) ?? [];
    const ids = (at % 3 === 0 && shared.length > 0) || made.length === 0 ? shared : made;
    return ids.length === 0 ? newId(kind) : ids[Math.floor(at / 3) % ids.length];
  }

  /** Remembers what an answer tells: ids, ETags, cursors and secrets. */
  async learn({ person, headers: asked }: Sent, { status, headers, text }: Answer): Promise<void> {
    if (status === 401 && person !== undefined) await this.renew(person, asked.authorization);
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
    const ring = this.rings[tenant].get(kind) ?? [];
    if (ring.includes(id)) return;
    this.rings[tenant].set(kind, [...ring.slice(1 - MAX_PER_KIND), id]);
  }

  private know(what: 'email' | 'code' | 'token' | 'cursor', word: string): void {
    this.words[what] = [...this.words[what].slice(1 - MAX_SECRETS), word];
  }

  /** Replaces a person who is locked out (signed out, suspended, with another password) by another in the same roles. */
  private async renew(person: number, authorization: string): Promise<void> {
    if (authorization === this.authorizationOf(person)) await this.settlement.renew(person);
  }

  private authorizationOf(person: number): string {
    return `Bearer ${this.settlement.people[person].token}`;
  }

  /** Lets the workers do by hand what would be due within a day; answers with what did not come off. */
  async doWhatIsDue(): Promise<string[]> {
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

  /** Lets the mails leave that are due, and remembers the codes in the latest. */
  async readMails(): Promise<void> {
    await this.app.nest.get(MailWorker, { strict: false }).sendDue();
    const mails = await this.app.database.query<{ id: string; recipient: string }>(
      'SELECT id, recipient FROM outbox ORDER BY created_at DESC LIMIT 3',
    );
    for (const { id, recipient } of mails) {
      const { code, token } = this.app.nest.get(MailSecrets, { strict: false }).of(id);
      this.know('email', recipient);
      this.know('code', code());
      this.know('token', token());
    }
  }
}
