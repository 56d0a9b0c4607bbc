import { TestApp, type Person } from './test-app.js';

/** A condition that is met as soon as a user attests the task. */
export const attestation = { type: 'manual_attestation' };

interface EndorsementSeen {
  id: string;
  policy_id: string;
  status: string;
}

interface Refused {
  error: { details: { fields: { field: string; code: string }[] } };
}

/** The field errors of an error response, as `title too_short`. */
export const faults = (body: Refused): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

/** The outcome of each condition of a check, as `peer_review passed`. */
export const results = ({ conditions }: { conditions: { type: string; status: string }[] }): string[] =>
  conditions.map(({ type, status }) => `${type} ${status}`);

/** The fixture of the Definition of Done tests: the service, three users, and helpers for policies and tasks. */
export class Agreement {
  private constructor(
    readonly app: TestApp,
    /** An administrator. */
    readonly ada: Person,
    /** Owns the endeavours. */
    readonly ann: Person,
    /** A member of the endeavours who has endorsed nothing. */
    readonly bob: Person,
  ) {}

  static async open(environment: Record<string, string> = {}): Promise<Agreement> {
    const app = await TestApp.open(environment);
    return new Agreement(app, await app.admin('Ada'), await app.person('Ann'), await app.person('Bob'));
  }

  /** Creates a global policy and returns its id. */
  async policy(...conditions: object[]): Promise<string> {
    const sent = { name: 'Ours', conditions };
    const { body } = await this.app.as(this.ada).post('/dod-policies').send(sent).expect(201);
    return body.data.id;
  }

  assign(endeavour: string, policy_id: string, person = this.ann) {
    return this.app.as(person).post(`/endeavours/${endeavour}/dod-policy`).send({ policy_id });
  }

  endorse(endeavour: string, person = this.ann, more: object = {}) {
    const sent = { endeavour_id: endeavour, ...more };
    return this.app.as(person).post('/dod-endorsements').send(sent);
  }

  /** Creates an endeavour of Ann's with a policy of these conditions, which she has endorsed. Bob is a member. */
  async bound(...conditions: object[]): Promise<string> {
    const garden = await this.app.endeavour(this.ann);
    await this.app.join(garden, this.bob, 'member');
    await this.assign(garden, await this.policy(...conditions)).expect(200);
    await this.endorse(garden).expect(201);
    return garden;
  }

  /** Creates an active task of Ann's and returns its id. */
  async active(endeavour: string, more: object = {}): Promise<string> {
    const id = await this.app.task(this.ann, endeavour, more);
    await this.patch(id, { status: 'active' }).expect(200);
    return id;
  }

  patch(id: string, body: object, person = this.ann) {
    return this.app.as(person).patch(`/tasks/${id}`).send(body);
  }

  done(id: string, person = this.ann, more: object = {}) {
    return this.patch(id, { status: 'done', ...more }, person);
  }

  attest(id: string, person = this.ann) {
    return this.patch(id, { metadata: { dod_attested: true } }, person);
  }

  override(id: string, person = this.ann, reason = 'The client took it as it is') {
    return this.app.as(person).post(`/tasks/${id}/dod-override`).send({ reason });
  }

  async check(id: string, person = this.ann) {
    return (await this.app.as(person).post(`/tasks/${id}/dod-check`).expect(200)).body.data;
  }

  /** The stored checks of the task, newest first. */
  async checks(id: string): Promise<{ id: string; result: string }[]> {
    return (await this.app.as(this.ann).get(`/tasks/${id}/dod-checks`).expect(200)).body.data;
  }

  async task(id: string) {
    return (await this.app.as(this.ann).get(`/tasks/${id}`).expect(200)).body.data;
  }

  async endorsements(endeavour: string, person = this.ann, query = ''): Promise<EndorsementSeen[]> {
    const path = `/dod-endorsements?endeavour_id=${endeavour}${query}`;
    return (await this.app.as(person).get(path).expect(200)).body.data;
  }
}
