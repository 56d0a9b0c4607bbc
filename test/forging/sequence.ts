import type { TestApp, Person } from '../support/test-app.js';
import { Model, type Name, type Place, type Policy } from './model.js';
import { Random } from './random.js';
import { findings, isMet, outcomeOf, type ClosingChanges } from './verdict.js';

/** People, and `bot`, the agent of `eve`. */
export const NAMES = ['ann', 'dia', 'bob', 'cat', 'eve', 'bot'] as const;

/** The data that all sequences share: people, endeavours, policies and a team. */
export interface World {
  app: TestApp;
  people: Record<Name, Person>;
  places: Record<Place, string>;
  policies: Policy[];
  team: string;
  /** The model of the previous sequence, whose members, policies and team are still in the database. */
  model?: Model;
}

interface Check {
  result: string;
  conditions: { status: string }[];
}

interface HttpResponse {
  status: number;
  body: { data: { id: string; revision: number }; error?: { code: string; details?: unknown } };
}

/** Applies seeded random actions to one task and its model, and records each difference between the two. */
export class Sequence {
  readonly log: string[] = [];
  readonly differences: string[] = [];
  closed = 0;
  private readonly random: Random;
  private readonly model: Model;
  private task = '';
  private revision = 1;
  private texts = 0;

  constructor(
    private readonly world: World,
    readonly seed: number,
  ) {
    this.random = new Random(seed);
    this.model = new Model('ann');
    const before = world.model;
    if (before === undefined) return;
    for (const place of ['garden', 'shed'] as const) {
      this.model.policies[place] = before.policies[place];
      for (const [who, member] of before.members[place]) this.model.members[place].set(who, member);
    }
    for (const who of before.suspended) this.model.suspended.add(who);
    for (const who of NAMES) if (before.isInTeam(who)) this.model.joinTeam(who);
  }

  async run(steps: number): Promise<void> {
    this.world.model = this.model;
    const body = { title: 'Paint', endeavour_id: this.world.places.garden };
    this.task = (await this.send('ann', 'post', '/tasks', body)).body.data.id;
    await this.patchTask('ann', { status: 'active' });
    for (let step = 0; step < steps && this.differences.length === 0; step += 1) {
      this.model.tick += 1;
      await this.step();
      if (this.random.chance(0.5)) await this.compare();
    }
  }

  private async step(): Promise<void> {
    const [name, action] = this.random.pick(ACTIONS);
    const before = this.log.length;
    await action.call(this);
    if (this.log.length > before) this.log[before] = `${name}: ${this.log[before]}`;
  }

  /** Compares the result of a check, for each condition, with the model. */
  private async compare(): Promise<void> {
    const policy = this.model.policies[this.model.place];
    const { body } = await this.send('ann', 'post', `/tasks/${this.task}/dod-check`);
    const { result, conditions } = body.data as unknown as Check;
    const isDone = policy !== undefined && isMet(this.model, policy);
    const expected = [policy === undefined ? 'no_policy' : isDone ? 'met' : 'not_met'];
    if (policy !== undefined) expected.push(...findings(this.model, policy));
    const got = [result, ...conditions.map(({ status }) => status)];
    if (got.join() !== expected.join()) this.differ('a check', expected.join(), body);
  }

  private differ(what: string, expected: string, got: unknown): void {
    const details = JSON.stringify(got, null, 1);
    this.differences.push(`seed ${this.seed}: ${what} should be ${expected}\n${details}\n${this.log.join('\n')}`);
  }

  private async send(
    who: Name,
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: object,
  ): Promise<HttpResponse> {
    const { status, body: response } = await this.world.app.as(this.world.people[who])[method](path).send(body);
    const short = path.replaceAll(/([a-z]{3})_[0-9a-f]{32}/g, '$1');
    const detail = status >= 400 ? ` ${(response as HttpResponse['body']).error?.code}` : '';
    this.log.push(`${who} ${method} ${short} ${JSON.stringify(body) ?? ''} ${status}${detail}`);
    if (status >= 500) this.differ('a response', 'no server error', response);
    return { status, body: response as HttpResponse['body'] };
  }

  /** Patches the task; returns whether that changed it. */
  private async patchTask(who: Name, body: object): Promise<boolean> {
    const response = await this.send(who, 'patch', `/tasks/${this.task}`, body);
    if (response.status !== 200 || response.body.data.revision === this.revision) return false;
    this.revision = response.body.data.revision;
    const status = (body as { status?: string }).status;
    if (status !== undefined && status !== this.model.status) this.model.changeStatus(status);
    return true;
  }

  private activeMembers(): Name[] {
    return NAMES.filter((who) => this.model.isActiveMember(who));
  }

  private newText(): string {
    this.texts += 1;
    return `Text ${this.texts}`;
  }

  async approve(): Promise<void> {
    const { model, random } = this;
    const who = random.pick(this.activeMembers());
    const role = random.pick([null, null, 'qa', 'owner', 'member']);
    const verdict = random.pick(['approved', 'approved', 'approved', 'rejected', 'needs_work']);
    const sent = { entity_type: 'task', entity_id: this.task, verdict, ...(role !== null && { role }) };
    const wasAuthor = model.isAuthor(who, model.policies[model.place]);
    const { status, body } = await this.send(who, 'post', '/approvals', sent);
    if (status !== 201) return;
    const roleHeld = role !== null && model.holds(who, role);
    const wasMember = model.rankOf(who) >= 2;
    const said = { id: body.data.id, by: who, verdict, role, at: model.tick, roleHeld, wasMember, wasAuthor };
    model.approvals.push({ ...said, dismissed: false });
  }

  async dismissRejection(): Promise<void> {
    const rejection = this.random.pick([
      ...this.model.approvals.filter(({ verdict }) => verdict === 'rejected'),
      undefined,
    ]);
    if (rejection === undefined || !this.model.isActiveMember('dia')) return;
    const { status } = await this.send('dia', 'post', `/approvals/${rejection.id}/dismiss`, {
      reason: 'Of another task',
    });
    if (status === 200) rejection.dismissed = true;
  }

  async changeContent(): Promise<void> {
    const who = this.random.pick(this.activeMembers());
    const part = this.random.pick(['text', 'checklist', 'result_summary', 'colour']);
    const checklist = [{ text: this.newText(), checked: this.random.chance(0.5) }];
    const values: Record<string, object> = {
      text: this.random.chance(0.5) ? { title: this.newText() } : { description: this.newText() },
      checklist: { metadata: { checklist } },
      result_summary: { metadata: { result_summary: this.newText() } },
      colour: { metadata: { colour: this.newText() } },
    };
    if (!(await this.patchTask(who, values[part]))) return;
    if (part === 'checklist') this.model.checklist = checklist;
    if (part === 'result_summary') this.model.hasSummary = true;
    this.model.recordWork(who);
    this.model.changeContent([part], who);
  }

  async checkItems(): Promise<void> {
    const { model } = this;
    const who = this.random.pick(this.activeMembers());
    const checklist = model.checklist.map((item) => ({ ...item, checked: this.random.chance(0.8) }));
    if (checklist.length === 0 || !(await this.patchTask(who, { metadata: { checklist } }))) return;
    model.checklist = checklist;
    model.recordWork(who);
  }

  async assign(): Promise<void> {
    const { model, world } = this;
    const who = this.random.pick(this.activeMembers());
    const to = this.random.pick([null, 'team', ...NAMES]);
    const also = this.random.chance(0.2) ? { estimate: this.random.below(1000) } : {};
    const ids = to === null ? null : to === 'team' ? world.team : world.people[to].id;
    const same = model.assignee === to;
    if (!(await this.patchTask(who, { assignee_id: ids, ...also }))) return;
    if ('estimate' in also || same) model.recordWork(who);
    model.assign(to, who);
  }

  async toggleTeamMembership(): Promise<void> {
    const { app, people, team } = this.world;
    const who = this.random.pick(['bob', 'cat', 'eve', 'bot']);
    const isIn = this.model.isInTeam(who);
    this.log.push(`${who} ${isIn ? 'leaves' : 'joins'} the team`);
    const values = [team, people[who].resourceId];
    if (isIn) await app.database.query('DELETE FROM team_members WHERE team_id = $1 AND resource_id = $2', values);
    else await app.database.query('INSERT INTO team_members (team_id, resource_id) VALUES ($1, $2)', values);
    if (isIn) this.model.leaveTeam(who);
    else this.model.joinTeam(who);
  }

  async changeStatus(): Promise<void> {
    const who = this.random.pick(this.activeMembers());
    const to = { planned: 'active', active: 'planned', done: 'active' }[this.model.status] ?? 'active';
    if (await this.patchTask(who, { status: to })) this.model.recordWork(who);
  }

  async attest(): Promise<void> {
    const who = this.random.pick(this.activeMembers());
    if (await this.patchTask(who, { metadata: { dod_attested: true } })) this.model.recordWork(who);
    this.model.attested = true;
  }

  async toggleOverride(): Promise<void> {
    const { model } = this;
    const who = this.random.pick(['ann', 'dia']);
    if (model.rankOf(who) < 3 || model.suspended.has(who)) return;
    const isSet = this.random.chance(0.6);
    const path = `/tasks/${this.task}/dod-override`;
    const response = isSet
      ? await this.send(who, 'post', path, { reason: this.newText() })
      : await this.send(who, 'delete', path);
    if (response.status !== 200) return;
    if (isSet || model.overridden) model.recordWork(who);
    model.overridden = isSet;
    this.revision = (await this.send('ann', 'get', `/tasks/${this.task}`)).body.data.revision;
  }

  async comment(): Promise<void> {
    const who = this.random.pick(this.activeMembers());
    const sent = { entity_type: 'task', entity_id: this.task, content: this.newText() };
    if ((await this.send(who, 'post', '/comments', sent)).status === 201) this.model.comments += 1;
  }

  async postResult(): Promise<void> {
    const { model, random } = this;
    const who = random.pick(this.activeMembers());
    const passed = random.chance(0.7);
    const { status } = await this.send(who, 'post', `/tasks/${this.task}/dod-results`, { name: 'scan', passed });
    if (status !== 201) return;
    model.results.push({ by: who, passed, at: model.tick, roles: model.rolesOf(who) });
    model.recordWork(who);
  }

  async changeTestReport(): Promise<void> {
    const { model, random } = this;
    const who = random.pick(this.activeMembers());
    const living = model.reports.filter(({ gone }) => !gone);
    if (living.length > 0 && random.chance(0.3)) {
      const report = random.pick(living);
      const { status } = await this.send(who, 'delete', `/artifacts/${report.id}`);
      report.gone = status === 200;
      return;
    }
    const passed = random.chance(0.7);
    const metadata = { result: passed ? 'passed' : 'failed' };
    const sent = { kind: 'test-report', title: 'Run', tags: ['test-report'], task_id: this.task, metadata };
    const { status, body } = await this.send(who, 'post', '/artifacts', sent);
    if (status !== 201) return;
    model.reports.push({ id: body.data.id, passed, gone: false });
    model.recordWork(who);
  }

  async changeMembership(): Promise<void> {
    const { model, random, world } = this;
    const who = random.pick(['bob', 'cat', 'eve', 'dia', 'bot']);
    const place = random.chance(0.8) ? model.place : random.pick(['garden', 'shed'] as const);
    const [endeavour, { id: user_id }] = [world.places[place], world.people[who]];
    const members = model.members[place];
    const path = `/endeavours/${endeavour}/members/${user_id}`;
    if (members.has(who) && random.chance(0.25)) {
      if ((await this.send('ann', 'delete', path)).status === 200) members.delete(who);
      return;
    }
    const roles = who === 'dia' ? ['admin'] : ['viewer', 'member', 'member'];
    const role = random.pick(roles);
    const stakeholderRoles = random.chance(0.5) ? ['qa'] : [];
    if (!members.has(who)) {
      await world.app.join(endeavour, world.people[who], role, stakeholderRoles);
      this.log.push(`${who} joins ${place} as ${role} ${stakeholderRoles.join()}`);
    } else if ((await this.send('ann', 'patch', path, { role, stakeholder_roles: stakeholderRoles })).status !== 200)
      return;
    members.set(who, { ...members.get(who), rank: { viewer: 1, member: 2, admin: 3 }[role] ?? 0, stakeholderRoles });
  }

  async toggleSuspension(): Promise<void> {
    const { suspended } = this.model;
    const who = this.random.pick(['bob', 'cat', 'eve']);
    const status = suspended.has(who) ? 'active' : 'suspended';
    this.log.push(`${who} is ${status}`);
    await this.world.app.database.query('UPDATE users SET status = $2 WHERE id = $1', [
      this.world.people[who].id,
      status,
    ]);
    if (status === 'active') suspended.delete(who);
    else suspended.add(who);
  }

  async assignPolicy(): Promise<void> {
    const { model, random, world } = this;
    const place = random.pick(['garden', 'garden', 'shed'] as const);
    const path = `/endeavours/${world.places[place]}/dod-policy`;
    const policy = random.chance(0.1) ? undefined : random.pick(world.policies);
    if (policy === undefined) await this.send('ann', 'delete', path);
    else await this.send('ann', 'post', path, { policy_id: policy.id });
    if (policy?.id === model.policies[place]?.id) return;
    model.policies[place] = policy;
    for (const member of model.members[place].values()) member.endorsed = undefined;
    for (const who of NAMES) if (random.chance(0.6)) await this.endorse(who, place);
  }

  async endorse(
    who = this.random.pick(NAMES),
    place: Place = this.random.pick(['garden', 'shed'] as const),
  ): Promise<void> {
    const member = this.model.memberOf(who, place);
    if (member === undefined || member.rank < 2 || this.model.suspended.has(who)) return;
    const { status } = await this.send(who, 'post', '/dod-endorsements', { endeavour_id: this.world.places[place] });
    if (status === 201) member.endorsed = this.model.policies[place]?.id;
  }

  /** Moves the timestamps of the task and its evidence into the past. */
  async advanceTime(): Promise<void> {
    const { database } = this.world.app;
    const minutes = this.random.pick([20, 61]);
    this.log.push(`${minutes} minutes pass`);
    const span = `${minutes} minutes`;
    const shift = (...columns: string[]): string =>
      columns.map((each) => `${each} = ${each} - $2::interval`).join(', ');
    for (const sql of [
      `UPDATE task_assignments SET ${shift('assigned_at', 'ended_at')} WHERE task_id = $1`,
      `UPDATE task_statuses SET ${shift('entered_at', 'left_at')} WHERE task_id = $1`,
      `UPDATE artifacts SET ${shift('created_at')} WHERE task_id = $1`,
      `UPDATE dod_results SET ${shift('created_at')} WHERE task_id = $1`,
    ]) {
      await database.query(sql, [this.task, span]);
    }
    // Team memberships do not belong to a task, so all of them move.
    await database.query(
      `UPDATE team_memberships SET joined_at = joined_at - $1::interval, left_at = left_at - $1::interval`,
      [span],
    );
    this.model.clock += minutes;
  }

  async moveTask(): Promise<void> {
    const { model, world } = this;
    const to = model.place === 'garden' ? 'shed' : 'garden';
    const before = { place: model.place, overridden: model.overridden, attested: model.attested };
    const isDone = model.status === 'done';
    model.moveTo(to);
    const expected = isDone ? outcomeOf(model, 'ann', { assignee: null }) : undefined;
    Object.assign(model, before);
    const sent = { endeavour_id: world.places[to], assignee_id: null, owner_id: world.people.ann.id };
    const moved = await this.patchTask('ann', sent);
    const isExpected = expected === undefined || moved === (expected !== 'refused');
    if (!isExpected) this.differ('the move of a done task', expected, this.log.at(-1));
    if (!moved) return;
    model.moveTo(to);
    model.recordWork('ann');
    model.assign(null, 'ann');
  }

  async closeTask(): Promise<void> {
    const { model, random, world } = this;
    if (model.status !== 'active') return;
    const closer = random.pick(this.activeMembers());
    const merged: ClosingChanges & { assignee?: Name | null; parts?: string[] } = {};
    const body: Record<string, unknown> = { status: 'done' };
    if (random.chance(0.2)) {
      merged.assignee = random.pick([null, ...this.activeMembers()]);
      body.assignee_id = merged.assignee === null ? null : world.people[merged.assignee].id;
    }
    if (random.chance(0.15) && (!model.overridden || closer === 'ann')) {
      merged.parts = ['text'];
      body.title = this.newText();
    }
    const expected = outcomeOf(model, closer, merged);
    const response = await this.send(closer, 'patch', `/tasks/${this.task}`, body);
    const { data, error } = response.body as unknown as {
      data?: { dod: { result: string }; revision: number };
      error?: { code: string };
    };
    const got = data === undefined ? (error?.code === 'dod_not_met' ? 'refused' : error?.code) : data.dod.result;
    this.closed += got === 'refused' ? 0 : 1;
    if (got !== expected) return this.differ('the close', expected, response.body);
    if (data === undefined) return;
    this.revision = data.revision;
    model.recordWork(closer);
    if (merged.assignee !== undefined) model.assign(merged.assignee, closer);
    if (merged.parts !== undefined) model.changeContent(merged.parts, closer);
    model.changeStatus('done');
  }
}

type Action = (this: Sequence) => Promise<void>;
const { prototype } = Sequence;

/** The actions; frequent ones are repeated. The order decides which sequence a seed produces. */
const ACTIONS: [string, Action][] = [
  ...Array.from({ length: 7 }, (): [string, Action] => ['approve', prototype.approve]),
  ...Array.from({ length: 5 }, (): [string, Action] => ['closeTask', prototype.closeTask]),
  ...Array.from({ length: 3 }, (): [string, Action] => ['assign', prototype.assign]),
  ...Array.from({ length: 2 }, (): [string, Action] => ['changeContent', prototype.changeContent]),
  ...Array.from({ length: 2 }, (): [string, Action] => ['checkItems', prototype.checkItems]),
  ...Array.from({ length: 2 }, (): [string, Action] => ['postResult', prototype.postResult]),
  ...Array.from({ length: 2 }, (): [string, Action] => ['changeTestReport', prototype.changeTestReport]),
  ...Array.from({ length: 2 }, (): [string, Action] => ['changeMembership', prototype.changeMembership]),
  ['dismissRejection', prototype.dismissRejection],
  ['toggleTeamMembership', prototype.toggleTeamMembership],
  ['changeStatus', prototype.changeStatus],
  ['attest', prototype.attest],
  ['toggleOverride', prototype.toggleOverride],
  ['comment', prototype.comment],
  ['toggleSuspension', prototype.toggleSuspension],
  ['assignPolicy', prototype.assignPolicy],
  [
    'endorse',
    function endorse() {
      return this.endorse();
    },
  ],
  ['advanceTime', prototype.advanceTime],
  ['moveTask', prototype.moveTask],
];
