/**
 * What spec 08 says of one task, decided from nothing but what was done so far. It shares no code with the service: where
 * both come to different answers, one of them is wrong.
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
  /** How many must pass; all where it is undefined. */
  quorum?: number;
}

interface Membership {
  /** 1 (viewer) to 4 (owner). */
  rank: number;
  words: string[];
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
/** Who manages the agents among the people. */
const MANAGERS: Record<Name, Name> = { bot: 'eve' };

/** An agent and its manager are one. */
export const personOf = (who: Name): Name => MANAGERS[who] ?? who;
const isOne = (who: Name | null | undefined, other: Name): boolean =>
  who !== null && who !== undefined && personOf(who) === personOf(other);

export class Model {
  /** Orders what happens; nothing happens twice at one tick. */
  tick = 0;
  /** Minutes, by which assignments are long or short. */
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
  private readonly crew: { who: Name; from: number; until: number }[] = [];
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

  /** Whether a person can do what members do; an agent, whether its manager can as well. */
  isAble(who: Name): boolean {
    return this.rankOf(who) >= 2 && ![who, personOf(who)].some((each) => this.suspended.has(each));
  }

  holds(who: Name, role: string): boolean {
    const words = this.memberOf(who)?.words ?? [];
    return ROLES.includes(role) ? ROLES.indexOf(role) < this.rankOf(who) : words.includes(role);
  }

  rolesOf(who: Name): string[] {
    return [...ROLES.slice(0, this.rankOf(who)), ...(this.memberOf(who)?.words ?? [])];
  }

  join(who: Name): void {
    this.crew.push({ who, from: this.tick, until: Infinity });
  }

  leave(who: Name): void {
    for (const each of this.crew) if (each.who === who && each.until === Infinity) each.until = this.tick;
  }

  isInCrew(who: Name): boolean {
    return this.crew.some((each) => each.who === who && each.until === Infinity);
  }

  /** A person assigned the task to another person or to the team, or cleared its assignee. */
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

  /** A person worked on the task. */
  work(by: Name): void {
    for (const each of this.assignments) if (each.until === Infinity) each.workers.add(by);
  }

  /** The content of the task was changed: what was decided about it as it was does not hold any more. */
  rewrite(parts: readonly string[], by: Name): void {
    for (const part of parts) this.changes.push({ at: this.tick, part, by });
    if (!parts.some((part) => this.partsOf(this.policies[this.place]).includes(part))) return;
    this.overridden = false;
    this.attested = false;
  }

  move(status: string): void {
    if (this.status === 'active') this.active.push({ from: this.activeSince, until: this.clock });
    if (status === 'active') this.activeSince = this.clock;
    if (this.status === 'done') {
      this.reopened = this.tick;
      this.overridden = false;
      this.attested = false;
    }
    this.status = status;
  }

  carry(to: Place): void {
    this.place = to;
    this.overridden = false;
    this.attested = false;
  }

  /** What of the task is approved under a policy. */
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
    if (assignee === TEAM && this.crew.some((each) => isOne(each.who, who) && each.until === Infinity)) return true;
    return this.assignments.some((each) => this.concerns(each, who) && !this.isMoment(each, who));
  }

  private concerns({ to, from, until }: Assignment, who: Name): boolean {
    if (isOne(to, who)) return true;
    return to === TEAM && this.crew.some((each) => isOne(each.who, who) && each.from <= until && each.until >= from);
  }

  private isMoment(each: Assignment, who: Name): boolean {
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
