import { Random } from '../forging/random.js';
import { TestApp, type Person } from '../support/test-app.js';
import type { Act } from './acts.js';
import { Choices, NAMES } from './choices.js';
import { Model, ROLES, type Rank, type Visibility } from './model.js';
import * as people from './people.js';
import { RelationRoute } from './relation-door.js';

const FOUNDERS = ['ann', 'bob', 'cid'];
/** A few people send as many requests per minute as hundreds would. */
const LIMITS = {
  LIMIT_READS_PER_MINUTE: '100000000',
  LIMIT_WRITES_PER_MINUTE: '100000000',
  LIMIT_INVITATIONS_PER_HOUR: '100000000',
  LIMIT_ADDITIONS_PER_HOUR: '100000000',
};

/** The result of a run; `applied` counts the acts that changed something. */
export interface Outcome {
  steps: number;
  applied: number;
  differences: string[];
}

/** Compares random acts of six people over three organizations, and the roles that result, with the model. */
export class OwnershipRun {
  private readonly choices: Choices;
  private readonly relationRoute: RelationRoute;
  readonly outcome: Outcome = { steps: 0, applied: 0, differences: [] };

  private constructor(
    private readonly app: TestApp,
    private readonly actors: Record<string, Person>,
    private readonly model: Model,
    private readonly random: Random,
    private readonly seed: number,
  ) {
    this.choices = new Choices(model, actors, random);
    this.relationRoute = new RelationRoute(app, model, actors);
  }

  static async open(seed: number): Promise<OwnershipRun> {
    const app = await TestApp.open(LIMITS);
    const actors: Record<string, Person> = {};
    for (const name of NAMES) actors[name] = await app.person(name);
    await app.keepProofs();
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
    return new OwnershipRun(app, actors, model, random, seed);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Runs until the first difference; compares the roles of all people every `everySteps` steps. */
  async run(steps: number, everySteps: number): Promise<Outcome> {
    const { outcome } = this;
    while (outcome.steps < steps && outcome.differences.length === 0) {
      outcome.steps += 1;
      await this.step();
      await this.perform(this.choices.randomProbe());
      if (outcome.steps % everySteps === 0) await this.compareAll();
    }
    return outcome;
  }

  private async step(): Promise<void> {
    if (this.random.chance(0.12)) return this.inviteAndAccept();
    const act = this.choices.randomAct();
    const isByRelation = this.random.chance(0.3);
    await this.perform(act !== undefined && isByRelation ? await this.relationRoute.translate(act) : act);
  }

  /** Sends the request and compares its status; returns the data of the response if both are successes. */
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
    if (status >= 300) act.keep?.();
    if (status >= 300) return undefined;
    if (act.apply !== undefined) this.outcome.applied += 1;
    act.apply?.(body.data.id);
    const unmanaged = this.model.unmanagedContainers();
    if (unmanaged.length > 0)
      this.differ(`no person can manage ${unmanaged.join(', ')} after ${act.method} ${act.path}`);
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

  /** Compares the roles of every person, and the resources that they see, with the model. */
  private async compareAll(): Promise<void> {
    for (const name of NAMES) {
      const { body } = await this.app.as(this.actors[name]).get('/auth/whoami').expect(200);
      const { organizations, endeavours } = body.data;
      const expected = this.model.rolesOf(name);
      if (!isSame({ organizations, endeavours }, expected)) {
        this.differ(`${name} has ${JSON.stringify({ organizations, endeavours })}, not ${JSON.stringify(expected)}`);
      }
      await this.compareVisibility(name);
    }
  }

  private async compareVisibility(name: string): Promise<void> {
    const { body } = await this.app.as(this.actors[name]).get('/resources?type=service&limit=200').expect(200);
    const seen: Record<string, Visibility> = {};
    for (const { id, skills, metadata } of body.data) seen[id] = metadata !== null ? 3 : skills !== null ? 2 : 1;
    const expected: Record<string, Visibility> = {};
    for (const resource of this.model.resources.values()) {
      const visibility = this.model.visibilityOf(resource, name);
      if (visibility > 0) expected[resource.id] = visibility;
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
