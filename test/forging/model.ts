import type { Approval, Assignment, Attestation, Change, Condition, Other, Part, Policy, Report } from './facts.js';
import { ADMINISTRATOR, People, type Name, type Place } from './people.js';
import { both, type Truth } from './truth.js';

const TEAM = 'team';
const SUMMARY_FIELDS: unknown[] = ['result_summary', 'metadata.result_summary'];

/** Identifies what a manual_attestation asks for. */
export const attestedKey = ({ id, label, params }: Condition): string => JSON.stringify([id, label, params.prompt]);

/**
 * A model of spec 08 for one task, which decides from the history of the task alone. It shares no code with the
 * service: if the two decide differently, one of them is wrong.
 */
export class Model {
  /** Orders what happens. */
  now = 0;
  /** The time in minutes, which decides whether an assignment was brief. */
  clock = 0;
  place: Place = 'garden';
  status = 'planned';
  result: string | null = null;
  round = 0;
  assignee: Name | null = null;
  override?: { policy: string | undefined; at: number };
  comments = 0;
  checklist: { text: string; checked: boolean }[] = [];
  acceptance: { text: string; checked: boolean }[] = [];
  /** Whether a text shows something. */
  hasSummary = false;
  hasDescription = false;
  hasDueDate = false;
  policies: Record<Place, Policy | undefined> = { garden: undefined, shed: undefined };
  creators: Name[] = [];
  attestations: Attestation[] = [];
  approvals: Approval[] = [];
  changes: Change[] = [];
  results: { passed: boolean; round: number; roles: string[] }[] = [];
  reports: Report[] = [];
  others: Other[] = [];
  assignments: Assignment[] = [];
  teamMemberships: { who: Name; from: number; until: number }[] = [];
  stays: { from: number; until: number }[] = [];

  constructor(readonly people: People) {}

  /** A copy of what is known of the task, to which the changes of a request can be applied. */
  copy(): Model {
    const { people, ...facts } = this;
    return Object.assign(new Model(people), structuredClone(facts));
  }

  get policy(): Policy | undefined {
    return this.policies[this.place];
  }

  isActiveMember(who: Name): boolean {
    return this.people.isActiveMember(who, this.place);
  }

  rankOf(who: Name, place: Place = this.place): number {
    return this.people.rankOf(who, place);
  }

  joinTeam(who: Name): void {
    this.teamMemberships.push({ who, from: this.now, until: Infinity });
  }

  leaveTeam(who: Name): void {
    for (const each of this.teamMemberships) if (each.who === who && each.until === Infinity) each.until = this.now;
  }

  isInTeam(who: Name): boolean {
    return this.teamMemberships.some((each) => each.who === who && each.until === Infinity);
  }

  /** Records that a person assigned the task to a person or the team, or cleared its assignee. */
  assign(to: Name | null, by: Name): void {
    if (to === this.assignee) return;
    const open = this.assignments.filter(({ until }) => until === Infinity);
    const isTaking = to !== null && to !== TEAM && this.people.isOne(to, by);
    const isGivingUp = open.some((each) => this.isHeldBy(each, by));
    if (isTaking || isGivingUp) this.recordWriting(by);
    for (const each of open) Object.assign(each, { until: this.now, ended: this.clock });
    this.assignee = to;
    if (to === null) return;
    const [from, until] = [this.now, Infinity];
    this.assignments.push({ to, by, from, until, begun: this.clock, ended: Infinity, writers: [] });
  }

  /** Records that a person wrote to the task. */
  recordWriting(who: Name): void {
    for (const each of this.assignments) if (each.until === Infinity) each.writers.push({ who, at: this.now });
  }

  /** Records a change of content, which ends override and attestations and, of a done task, the round. */
  changeContent(parts: readonly Part[], by: Name): void {
    const approved = this.partsOf(this.policy);
    for (const part of parts) {
      this.changes.push({ at: this.now, part, by, wasApproved: approved.includes(part) });
    }
    if (!parts.some((part) => approved.includes(part))) return;
    this.lapse();
    if (this.status !== 'done') return;
    this.round += 1;
    if (this.result === 'met' || this.result === 'overridden') this.result = 'changed';
  }

  changeStatus(status: string): void {
    const last = this.stays.at(-1);
    if (this.status === 'active' && last !== undefined) last.until = this.clock;
    if (status === 'active') this.stays.push({ from: this.clock, until: Infinity });
    if (this.status === 'done') {
      this.round += 1;
      this.result = null;
      this.lapse();
    }
    this.status = status;
  }

  private lapse(): void {
    this.override = undefined;
    for (const each of this.attestations) each.hasLapsed = true;
  }

  /** Records a move of the task, of its reports and away from its children and blockers. */
  moveTo(place: Place, by: Name): void {
    const separated = this.others.filter((each) => each.hasEdge && each.place === this.place);
    for (const each of separated) this.separate(each, by);
    this.place = place;
    this.override = undefined;
    for (const each of this.reports) if (each.hasTaskId && each.isLiving) each.place = place;
  }

  /** Records that a person deleted an edge or moved one of its ends away. An administrator counts as an admin everywhere. */
  separate(other: Other, by: Name): void {
    const { round } = this;
    other.separated = {
      by,
      round,
      wasAdmin: by === ADMINISTRATOR || this.rankOf(by) >= 3,
      wasAuthor: this.isAuthor(by, this.policy),
    };
  }

  /** The content that reviewers approve under the policy. */
  partsOf(policy: Policy | undefined): Part[] {
    const parts: Part[] = ['text', 'checklist', 'acceptance'];
    return this.namesSummary(policy) ? [...parts, 'result_summary'] : parts;
  }

  namesSummary(policy: Policy | undefined): boolean {
    return (policy?.conditions ?? []).some(
      ({ type, params }) => type === 'field_populated' && SUMMARY_FIELDS.includes(params.field),
    );
  }

  /** Whether the policy excludes a person as an author, at that time. */
  isAuthor(who: Name, policy: Policy | undefined, at = Infinity): Truth {
    const parts = this.partsOf(policy);
    const last = this.changes.findLast((each) => parts.includes(each.part) && each.at <= at);
    if (this.creators.some((creator) => this.people.hasDone(who, creator, 0))) return true;
    if (last !== undefined && this.people.hasDone(who, last.by, last.at)) return true;
    const theirs = this.assignments.filter((each) => each.from <= at && this.concerns(each, who, at));
    return theirs.some((each) => !this.isBrief(each, who));
  }

  /** Whether a person was an author when giving a verdict, as far as the policies of then and now agree. */
  wasAuthor({ wasAuthor, by, at }: Approval, policy: Policy | undefined): Truth {
    const known = this.namesSummary(policy) ? wasAuthor.withSummary : wasAuthor.plain;
    return both(wasAuthor.atTheTime, both(known, this.isAuthor(by, policy, at)));
  }

  /**
   * Records what the givers of verdicts have lost by the act of a person. A verdict is lifted with the membership in which
   * it was given, and counts no more for a role that was lost, unless an author at that time took it.
   */
  recordLosses(by: Name): void {
    for (const said of this.approvals) {
      const held = this.people.rolesOf(said.by, said.place);
      const lost = said.held.filter((role) => !held.includes(role));
      const isByAuthor = lost.length > 0 && this.isAuthor(by, this.policy) === true;
      said.kept = [...said.kept.filter((role) => !held.includes(role)), ...(isByAuthor ? lost : [])];
      said.held = held;
      if (!lost.includes('viewer')) continue;
      said.hasEnded = true;
      said.isLifted ||= !isByAuthor;
    }
  }

  /** Whether a person has the assignment at present. A former manager of an agent does not, a former member of a team does. */
  private isHeldBy({ to, from }: Assignment, who: Name): boolean {
    if (to !== TEAM) return this.people.isOne(who, to);
    return this.teamMemberships.some((each) => each.until >= from && this.people.isOne(who, each.who));
  }

  private concerns({ to, from, until }: Assignment, who: Name, at = Infinity): boolean {
    const end = Math.min(until, at, this.now);
    if (to !== TEAM) return this.people.hasDone(who, to, from, end);
    return this.teamMemberships.some((each) => {
      const [since, left] = [Math.max(each.from, from), Math.min(each.until, end)];
      return since <= left && this.people.hasDone(who, each.who, since, left);
    });
  }

  private isBrief(each: Assignment, who: Name): boolean {
    const isOver = each.until < Infinity;
    const hasWritten = each.writers.some((writer) => this.people.hasDone(who, writer.who, writer.at));
    const isOwn = this.people.hasDone(who, each.by, each.from);
    return isOver && !isOwn && !hasWritten && this.minutesActive(each.begun, each.ended) < 60;
  }

  minutesActive(begun = -Infinity, ended = Infinity): number {
    return this.stays.reduce((sum, { from, until }) => {
      return sum + Math.max(0, Math.min(until, ended, this.clock) - Math.max(from, begun));
    }, 0);
  }
}
