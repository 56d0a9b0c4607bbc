/**
 * A model of spec 08 for one task, which decides from the history of the task alone. It shares no code with the
 * service: if the two decide differently, one of them is wrong.
 */
export type Name = string;
export type Place = 'garden' | 'shed';

export interface Condition {
  type: string;
  params: Record<string, unknown>;
}

export interface Policy {
  id: string;
  conditions: Condition[];
  /** The number of conditions that must pass; all if undefined. */
  quorum?: number;
}

interface Membership {
  /** 1 (viewer) to 4 (owner). */
  rank: number;
  stakeholderRoles: string[];
  endorsed?: string;
}

interface Approval {
  id: string;
  by: Name;
  verdict: string;
  role: string | null;
  at: number;
  roleHeld: boolean;
  wasMember: boolean;
  wasAuthor: boolean;
  dismissed: boolean;
}

interface Assignment {
  to: Name;
  by: Name;
  from: number;
  until: number;
  begun: number;
  ended: number;
  workers: Set<Name>;
}

const ROLES = ['viewer', 'member', 'admin', 'owner'];
const TEAM = 'team';
/** The managers of the agents. */
const MANAGERS: Record<Name, Name> = { bot: 'eve' };

/** An agent and its manager count as one person. */
export const personOf = (who: Name): Name => MANAGERS[who] ?? who;
const isOne = (who: Name | null | undefined, other: Name): boolean =>
  who !== null && who !== undefined && personOf(who) === personOf(other);

/** The state of one task and the members of its two endeavours, with the facts that conditions need. */
export class Model {
  /** The number of the step, which orders what happens. */
  tick = 0;
  /** The time in minutes, which decides whether an assignment was brief. */
  clock = 0;
  place: Place = 'garden';
  status = 'planned';
  assignee: Name | null = null;
  overridden = false;
  attested = false;
  comments = 0;
  checklist: { text: string; checked: boolean }[] = [];
  hasSummary = false;
  reopened = -1;
  readonly policies: Record<Place, Policy | undefined> = { garden: undefined, shed: undefined };
  readonly members: Record<Place, Map<Name, Membership>> = { garden: new Map(), shed: new Map() };
  readonly suspended = new Set<Name>();
  readonly approvals: Approval[] = [];
  readonly changes: { at: number; part: string; by: Name }[] = [];
  readonly results: { by: Name; passed: boolean; at: number; roles: string[] }[] = [];
  readonly reports: { id: string; passed: boolean; gone: boolean }[] = [];
  private readonly assignments: Assignment[] = [];
  private readonly teamMemberships: { who: Name; from: number; until: number }[] = [];
  private activeSince = -1;
  private readonly active: { from: number; until: number }[] = [];

  constructor(readonly creator: Name) {}

  memberOf(who: Name, place: Place = this.place): Membership | undefined {
    return this.members[place].get(who);
  }

  /** An agent has no more rights than its manager. */
  rankOf(who: Name, place: Place = this.place): number {
    return Math.min(...[who, personOf(who)].map((each) => this.memberOf(each, place)?.rank ?? 0));
  }

  /** Whether a person is an active member; for an agent, its manager must be one, too. */
  isActiveMember(who: Name): boolean {
    return this.rankOf(who) >= 2 && ![who, personOf(who)].some((each) => this.suspended.has(each));
  }

  holds(who: Name, role: string): boolean {
    const own = this.memberOf(who)?.stakeholderRoles ?? [];
    return ROLES.includes(role) ? ROLES.indexOf(role) < this.rankOf(who) : own.includes(role);
  }

  rolesOf(who: Name): string[] {
    return [...ROLES.slice(0, this.rankOf(who)), ...(this.memberOf(who)?.stakeholderRoles ?? [])];
  }

  joinTeam(who: Name): void {
    this.teamMemberships.push({ who, from: this.tick, until: Infinity });
  }

  leaveTeam(who: Name): void {
    for (const each of this.teamMemberships) if (each.who === who && each.until === Infinity) each.until = this.tick;
  }

  isInTeam(who: Name): boolean {
    return this.teamMemberships.some((each) => each.who === who && each.until === Infinity);
  }

  /** Records that a person assigned the task to a person or the team, or cleared its assignee. */
  assign(to: Name | null, by: Name): void {
    if (to === this.assignee) return;
    for (const each of this.assignments.filter(({ until }) => until === Infinity)) {
      each.until = this.tick;
      each.ended = this.clock;
    }
    this.assignee = to;
    if (to === null) return;
    const [from, until] = [this.tick, Infinity];
    this.assignments.push({ to, by, from, until, begun: this.clock, ended: Infinity, workers: new Set() });
  }

  /** Records that a person worked on the task. */
  recordWork(by: Name): void {
    for (const each of this.assignments) if (each.until === Infinity) each.workers.add(by);
  }

  /** Records a change of the content, which ends the override and the attestation if the policy covers it. */
  changeContent(parts: readonly string[], by: Name): void {
    for (const part of parts) this.changes.push({ at: this.tick, part, by });
    if (!parts.some((part) => this.partsOf(this.policies[this.place]).includes(part))) return;
    this.overridden = false;
    this.attested = false;
  }

  changeStatus(status: string): void {
    if (this.status === 'active') this.active.push({ from: this.activeSince, until: this.clock });
    if (status === 'active') this.activeSince = this.clock;
    if (this.status === 'done') {
      this.reopened = this.tick;
      this.overridden = false;
      this.attested = false;
    }
    this.status = status;
  }

  moveTo(to: Place): void {
    this.place = to;
    this.overridden = false;
    this.attested = false;
  }

  /** The parts of the task that reviewers approve under the policy. */
  partsOf(policy: Policy | undefined): string[] {
    const keys = (policy?.conditions ?? []).flatMap(({ type }) => {
      if (type === 'checklist_complete') return ['checklist'];
      return type === 'field_populated' ? ['result_summary'] : [];
    });
    return ['text', ...keys];
  }

  isAuthor(who: Name, policy: Policy | undefined, assignee = this.assignee): boolean {
    const parts = this.partsOf(policy);
    const last = this.changes.filter(({ part }) => parts.includes(part)).at(-1);
    if (isOne(this.creator, who) || isOne(last?.by, who) || isOne(assignee, who)) return true;
    if (assignee === TEAM && this.teamMemberships.some((each) => isOne(each.who, who) && each.until === Infinity))
      return true;
    return this.assignments.some((each) => this.concerns(each, who) && !this.isBrief(each, who));
  }

  private concerns({ to, from, until }: Assignment, who: Name): boolean {
    if (isOne(to, who)) return true;
    return (
      to === TEAM &&
      this.teamMemberships.some((each) => isOne(each.who, who) && each.from <= until && each.until >= from)
    );
  }

  private isBrief(each: Assignment, who: Name): boolean {
    const isOver = each.until < Infinity;
    const hasWorked = [...each.workers].some((worker) => isOne(worker, who));
    return isOver && !isOne(each.by, who) && !hasWorked && this.minutesActive(each) < 60;
  }

  private minutesActive({ begun, ended }: Assignment): number {
    const current = this.status === 'active' ? [{ from: this.activeSince, until: this.clock }] : [];
    return [...this.active, ...current].reduce(
      (sum, stay) => sum + Math.max(0, Math.min(stay.until, ended) - Math.max(stay.from, begun)),
      0,
    );
  }
}
