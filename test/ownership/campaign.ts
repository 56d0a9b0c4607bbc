import { Random } from '../forging/random.js';
import { TestApp, type Person } from '../support/test-app.js';
import type { Act } from './acts.js';
import { Choices, NAMES } from './choices.js';
import { Model, ROLES, type Rank, type Sight } from './model.js';
import * as people from './people.js';
import { RelationDoor } from './relation-door.js';

const FOUNDERS = ['ann', 'bob', 'cid'];
/** A few people do in a minute what hundreds would. */
const PATIENT = {
  LIMIT_READS_PER_MINUTE: '100000000',
  LIMIT_WRITES_PER_MINUTE: '100000000',
  LIMIT_INVITATIONS_PER_HOUR: '100000000',
};

/** What a run came to; `done` counts the acts that changed something. */
export interface Outcome {
  steps: number;
  done: number;
  differences: string[];
}

/** Random acts of six people over three organizations, each compared with the model, as are the roles of all people afterwards. */
export class Campaign {
  private readonly choices: Choices;
  private readonly door: RelationDoor;
  readonly outcome: Outcome = { steps: 0, done: 0, differences: [] };

  private constructor(
    private readonly app: TestApp,
    private readonly actors: Record<string, Person>,
    private readonly model: Model,
    private readonly random: Random,
    private readonly seed: number,
  ) {
    this.choices = new Choices(model, actors, random);
    this.door = new RelationDoor(app, model, actors);
  }

  static async open(seed: number): Promise<Campaign> {
    const app = await TestApp.open(PATIENT);
    const actors: Record<string, Person> = {};
    for (const name of NAMES) actors[name] = await app.person(name);
    const model = new Model(NAMES);
    const random = new Random(seed);
    for (const founder of FOUNDERS) {
      const id = await app.organization(actors[founder], { name: founder });
      const members = new Map<string, Rank>([[founder, 4]]);
      for (const name of NAMES) {
        if (name === founder || random.chance(0.4)) continue;
        const rank = random.pick([1, 2, 3, 3, 4] as const);
        await app.join(id, actors[name], ROLES[rank - 1]);
        members.set(name, rank);
      }
      model.organizations.set(id, { id, isArchived: false, members });
    }
    return new Campaign(app, actors, model, random, seed);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Stops at the first difference; compares the roles of all people after so many steps. */
  async run(steps: number, everySteps: number): Promise<Outcome> {
    const { outcome } = this;
    while (outcome.steps < steps && outcome.differences.length === 0) {
      outcome.steps += 1;
      await this.step();
      await this.perform(this.choices.aProbe());
      if (outcome.steps % everySteps === 0) await this.compareAll();
    }
    return outcome;
  }

  private async step(): Promise<void> {
    if (this.random.chance(0.12)) return this.inviteAndAccept();
    const act = this.choices.anAct();
    const isByRelation = this.random.chance(0.3);
    await this.perform(act !== undefined && isByRelation ? await this.door.through(act) : act);
  }

  /** Sends it; the answer, where it was done. */
  private async perform(act: Act | undefined): Promise<{ id: string; token?: string } | undefined> {
    if (act === undefined) return undefined;
    const call = this.app.as(this.actors[act.who])[act.method](act.path);
    const { status, body } = await (act.body === undefined ? call : call.send(act.body));
    if (status !== act.status) {
      this.differ(
        `${act.who} ${act.method} ${act.path} ${JSON.stringify(act.body)}: ${status}, not ${act.status}`,
        body,
      );
      return undefined;
    }
    if (status >= 300) return undefined;
    if (act.apply !== undefined) this.outcome.done += 1;
    act.apply?.(body.data.id);
    const orphans = this.model.orphans();
    if (orphans.length > 0) this.differ(`no person can manage ${orphans.join(', ')} after ${act.method} ${act.path}`);
    return body.data;
  }

  private async inviteAndAccept(): Promise<void> {
    const at = this.random.chance(0.7) ? this.choices.organization() : this.choices.endeavour();
    if (at === undefined) return;
    const rank = this.choices.rank();
    const who = this.choices.actorIn(at);
    const invitation = await this.perform(people.invite(this.model, { who, at, rank }));
    if (invitation?.token === undefined) return;
    await this.perform(people.accept(this.choices.name(), invitation.token, at, rank));
  }

  /** The roles that every person is told, and the resources that they see. */
  private async compareAll(): Promise<void> {
    for (const name of NAMES) {
      const { body } = await this.app.as(this.actors[name]).get('/auth/whoami').expect(200);
      const { organizations, endeavours } = body.data;
      const expected = this.model.rolesOf(name);
      if (!isSame({ organizations, endeavours }, expected)) {
        this.differ(`${name} has ${JSON.stringify({ organizations, endeavours })}, not ${JSON.stringify(expected)}`);
      }
      await this.compareSight(name);
    }
  }

  private async compareSight(name: string): Promise<void> {
    const { body } = await this.app.as(this.actors[name]).get('/resources?type=service&limit=200').expect(200);
    const seen: Record<string, Sight> = {};
    for (const { id, skills, metadata } of body.data) seen[id] = metadata !== null ? 3 : skills !== null ? 2 : 1;
    const expected: Record<string, Sight> = {};
    for (const resource of this.model.resources.values()) {
      const sight = this.model.sight(resource, name);
      if (sight > 0) expected[resource.id] = sight;
    }
    if (!isSame(seen, expected)) {
      this.differ(`${name} sees ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
    }
  }

  private differ(what: string, body?: object): void {
    this.outcome.differences.push(
      `seed ${this.seed}, step ${this.outcome.steps}: ${what} ${JSON.stringify(body) ?? ''}`,
    );
  }
}

const sorted = (value: object): string => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

function isSame(one: object, other: object): boolean {
  const flat = (value: object): string =>
    Object.values(value).every((part) => typeof part === 'object')
      ? JSON.stringify(Object.entries(value).map(([key, part]) => [key, sorted(part as object)]))
      : sorted(value);
  return flat(one) === flat(other);
}
