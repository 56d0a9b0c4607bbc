import { Model } from './model.js';
import { People, type Name, type Place } from './people.js';
import { Random } from './random.js';
import type { Policy } from './facts.js';
import type { Truth } from './truth.js';
import { findings, isMet } from './verdict.js';
import { NAMES, type World } from './world.js';

const POLICIES = 3;
/** So many steps that no two sequences share random numbers. */
const STRIDE = 1000;

/** A difference between the service and the model: the step, the kind, and the requests. */
export interface Difference {
  step: number;
  what: string;
  text: string;
}

interface Check {
  result: string;
  conditions: { status: string }[];
}

export interface HttpResponse {
  status: number;
  body: { data: { id: string; revision: number }; error?: { code: string; details?: { reason?: string } } };
}

export type Action = (sequence: Sequence) => Promise<void>;
/** How frequent an action is, its name, and the action. */
export type Weighted = [number, string, Action];

/** What a sequence does: how its task begins, and the actions that follow. */
export interface Plot {
  begin: Action;
  actions: readonly [string, Action][];
}

/** Applies seeded random actions to one task and its model, and records the first difference between the two. */
export class Sequence {
  readonly log: string[] = [];
  difference?: Difference;
  closed = 0;
  random: Random;
  model = new Model(new People({}));
  places: Record<Place, string> = { garden: '', shed: '' };
  policies: Policy[] = [];
  /** The ids of the task and of all that belongs to it. */
  readonly ids: string[] = [];
  task = '';
  private revision = 1;
  private texts = 0;
  private at = -1;

  constructor(
    readonly world: World,
    readonly seed: number,
    private readonly plot: Plot,
  ) {
    this.random = new Random(seed * STRIDE);
  }

  /** Runs the steps with these numbers. */
  async run(steps: readonly number[]): Promise<void> {
    await this.begin();
    for (const step of steps) {
      if (this.difference !== undefined) return;
      this.at = step;
      this.random = new Random(this.seed * STRIDE + step + 1);
      await this.step();
      if (this.random.chance(0.5) && this.difference === undefined) await this.compare();
    }
  }

  private async begin(): Promise<void> {
    const { world, random } = this;
    const { people, places } = await world.prepare(random);
    this.model = new Model(people);
    this.places = places;
    while (this.policies.length < POLICIES) this.policies.push(await world.makePolicy(random));
    for (const [index, place] of (['garden', 'shed'] as const).entries()) {
      await this.assignPolicy(place, random.chance(0.9) ? this.policies[index] : undefined);
      for (const who of NAMES) if (random.chance(0.35)) await this.endorse(who, place);
    }
    await this.plot.begin(this);
  }

  private async step(): Promise<void> {
    const [name, action] = this.random.pick(this.plot.actions);
    const before = this.log.length;
    this.model.now += 1;
    await action(this);
    if (this.log.length > before) this.log[before] = `${String(this.at)} ${name}: ${this.log[before]}`;
  }

  async assignPolicy(place: Place, policy: Policy | undefined): Promise<void> {
    const { model, places } = this;
    const path = `/endeavours/${places[place]}/dod-policy`;
    if (policy === undefined) await this.send('ann', 'delete', path);
    else await this.send('ann', 'post', path, { policy_id: policy.id });
    if (policy?.id === model.policies[place]?.id) return;
    this.putInForce(place, policy);
  }

  putInForce(place: Place, policy: Policy | undefined): void {
    this.model.policies[place] = policy;
    for (const member of this.model.people.members[place].values()) member.endorsed = undefined;
    if (policy !== undefined) this.log.push(`  ${place}: ${JSON.stringify(policy)}`);
  }

  async endorse(who: Name, place: Place): Promise<void> {
    const { people, policies } = this.model;
    const member = people.members[place].get(who);
    if (member === undefined || !people.isActiveMember(who, place)) return;
    const { status } = await this.send(who, 'post', '/dod-endorsements', { endeavour_id: this.places[place] });
    if (status === 201) member.endorsed = policies[place]?.id;
  }

  /** Compares the result of a check, and the stored result, with the model. */
  private async compare(): Promise<void> {
    const { model } = this;
    const { policy } = model;
    const who = this.random.pick(NAMES.filter((each) => model.people.isActive(each) && model.rankOf(each) > 0));
    const { body } = await this.send(who, 'post', `/tasks/${this.task}/dod-check`);
    const { result, conditions } = body.data as unknown as Check;
    const merged = { after: model, before: model };
    const met = policy === undefined ? undefined : isMet(merged, policy);
    const expected = [policy === undefined ? 'no_policy' : wordOf(met, 'met', 'not_met')];
    if (policy !== undefined)
      expected.push(...findings(merged, policy).map((each) => wordOf(each, 'passed', 'failed')));
    const got = [result, ...conditions.map(({ status }) => status)];
    const index = got.findIndex((each, at) => expected[at] !== '?' && each !== expected[at]);
    const isEndorsed = policy !== undefined && model.people.members[model.place].get(who)?.endorsed === policy.id;
    if (model.result === 'changed' && isEndorsed && model.isActiveMember(who) && result === 'met') model.result = 'met';
    if (index !== -1) {
      const what = index === 0 ? 'the result' : policy?.conditions[index - 1].type;
      return this.differ(`a check, ${String(what)}`, expected.join(), body);
    }
    // Only a done task has a result; that others have none is seen often enough.
    if (model.status === 'done' || this.random.chance(0.2)) await this.compareResult();
  }

  async compareResult(): Promise<void> {
    const { model } = this;
    const response = await this.send('ann', 'get', `/tasks/${this.task}`);
    const { dod } = response.body.data as unknown as { dod: { result: string | null } | null };
    const got = dod?.result ?? null;
    if (got !== model.result) this.differ('dod.result', String(model.result), dod);
  }

  differ(what: string, expected: string, got: unknown): void {
    const details = JSON.stringify(got, null, 1);
    const text = `seed ${this.seed}: ${what} should be ${expected}\n${details}\n${this.log.join('\n')}`;
    this.difference ??= { step: this.at, what, text };
  }

  async send(
    who: Name,
    method: 'get' | 'post' | 'patch' | 'put' | 'delete',
    path: string,
    body?: object,
  ): Promise<HttpResponse> {
    const { status, body: response } = await this.world.send(who, method, path, body);
    const { data, error } = response as HttpResponse['body'];
    const refused = status >= 400 ? ` ${error?.code} ${error?.details?.reason ?? ''}` : '';
    this.log.push(`${who} ${method} ${this.short(path)} ${this.short(JSON.stringify(body) ?? '')} ${status}${refused}`);
    if (status >= 500) this.differ('a response', 'no server error', response);
    if (status === 201 && method === 'post') this.ids.push(data.id);
    return { status, body: response as HttpResponse['body'] };
  }

  /** Replaces ids by names, and numbers for what has no name. */
  private short(text: string): string {
    const known = Object.entries({ ...this.places, task: this.task, team: this.world.team });
    const people = Object.entries(this.world.people).flatMap(([name, { id, resourceId }]) => {
      return [
        [name, id],
        [name, resourceId],
      ];
    });
    return text.replaceAll(/[a-z]{3}_[0-9a-f]{32}/g, (id) => {
      const name = [...known, ...people].find(([, each]) => each === id)?.[0];
      return name ?? `${id.slice(0, 3)}${this.ids.indexOf(id)}`;
    });
  }

  /** Patches the task; returns whether that changed it. */
  async patchTask(who: Name, body: object): Promise<boolean> {
    const response = await this.send(who, 'patch', `/tasks/${this.task}`, body);
    return response.status === 200 && this.isNew(response.body.data.revision);
  }

  /** Whether the task has a revision that was not seen yet. */
  isNew(revision: number): boolean {
    const isNew = revision !== this.revision;
    this.revision = revision;
    return isNew;
  }

  /** Creates a relation; returns its id, unless it is refused. */
  async relate(
    who: Name,
    relationship_type: string,
    [source_entity_type, source_entity_id]: [string, string],
    [target_entity_type, target_entity_id]: [string, string],
  ): Promise<string | undefined> {
    const ends = { source_entity_type, source_entity_id, target_entity_type, target_entity_id };
    const { status, body } = await this.send(who, 'post', '/relations', { relationship_type, ...ends });
    return status === 201 ? body.data.id : undefined;
  }

  async findRevision(): Promise<void> {
    this.isNew((await this.send('ann', 'get', `/tasks/${this.task}`)).body.data.revision);
  }

  activeMembers(): Name[] {
    return NAMES.filter((who) => this.model.isActiveMember(who));
  }

  newText(): string {
    this.texts += 1;
    return `Text ${this.at}.${this.texts}`;
  }
}

const wordOf = (truth: Truth, yes: string, no: string): string => {
  if (truth === undefined) return '?';
  return truth ? yes : no;
};
