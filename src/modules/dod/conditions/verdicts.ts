import { ENDEAVOUR_ROLES, rankOf } from '../../../common/roles.js';
import type { ApprovalFact, ConditionFinding, TaskFacts } from './condition.js';

type Facts = Pick<TaskFacts, 'approvals' | 'authors'>;

/** Which people's verdicts a condition counts. */
interface Reviewers {
  exclude_author: boolean;
  user_type: string;
}

const MEMBER = rankOf('member');

/** Returns the latest verdict of each approver in any role, including dismissed rejections. */
function latestByApprover(approvals: readonly ApprovalFact[]): ApprovalFact[] {
  const latest = new Map<string, ApprovalFact>();
  for (const approval of approvals) {
    if (!latest.has(approval.approver_id)) latest.set(approval.approver_id, approval);
  }
  return [...latest.values()];
}

/** Returns one approval of each person: a person and their agents count once, whoever of them approved. */
function onePerPerson(approvals: readonly ApprovalFact[]): ApprovalFact[] {
  const counted = new Set<string>();
  // What an agent approved under a former manager counts only if neither that manager nor the present one approved.
  const bySize = approvals.toSorted((a, b) => a.people.length - b.people.length);
  return bySize.filter(({ people }) => {
    if (people.some((person) => counted.has(person))) return false;
    for (const person of people) counted.add(person);
    return true;
  });
}

const isDismissed = ({ dismissed_by }: ApprovalFact): boolean => dismissed_by !== null;

/** Whether it approves the current content, in the current round. A rejection counts in all rounds. */
const isStandingApproval = ({ verdict, stale, in_round }: ApprovalFact): boolean =>
  verdict === 'approved' && !stale && in_round;

const isOfType = (type: string | null, required: string): boolean => required === 'any' || type === required;

/** Whether the approver is eligible now. */
const counts = (
  approval: ApprovalFact,
  { exclude_author, user_type }: Reviewers,
  authors: readonly string[],
): boolean =>
  approval.is_active &&
  approval.rank >= MEMBER &&
  isOfType(approval.user_type, user_type) &&
  !(exclude_author && approval.people.some((person) => authors.includes(person)));

/**
 * Whether a rejection has ended with the membership in which it was given. Where it is not stored whether an author of the
 * task ended that membership, the present authors decide.
 */
function hasEnded(
  { is_lifted, ended_by, ended_by_author, held_roles }: ApprovalFact,
  authors: readonly string[],
): boolean {
  if (is_lifted || ended_by === null || ended_by_author !== null) return is_lifted;
  return held_roles.length === 0 && !authors.includes(ended_by);
}

/**
 * Whether the verdict blocks the task: the approver was eligible when giving it, and has not lost the membership since,
 * except by an act of an author. It stays in effect if the approver is no longer eligible for other reasons, and wherever
 * the task moves.
 */
const blocks = (
  approval: ApprovalFact,
  { exclude_author, user_type }: Reviewers,
  authors: readonly string[],
): boolean =>
  !hasEnded(approval, authors) &&
  approval.was_member &&
  isOfType(approval.giver_type ?? approval.user_type, user_type) &&
  !(exclude_author && approval.was_author);

/** Whether the approver holds the role now. Names of built-in roles are never stakeholder roles. */
function holdsNow({ rank, stakeholder_roles }: ApprovalFact, role: string): boolean {
  const roles: readonly string[] = ENDEAVOUR_ROLES;
  return roles.includes(role) ? roles.slice(0, rank).includes(role) : stakeholder_roles.includes(role);
}

/** Returns the approvals that count as reviews, and the rejections that block the task. */
export function reviewsOf(
  { approvals, authors }: Facts,
  reviewers: Reviewers,
): Record<'counted' | 'rejections', ApprovalFact[]> {
  const latest = latestByApprover(approvals);
  return {
    counted: onePerPerson(
      latest.filter((approval) => isStandingApproval(approval) && counts(approval, reviewers, authors)),
    ),
    rejections: latest.filter(
      (approval) => approval.verdict === 'rejected' && !isDismissed(approval) && blocks(approval, reviewers, authors),
    ),
  };
}

/** Whether an objection counts for the role: its giver holds it here or where it was given, or an author took it away. */
const objectsAs = (approval: ApprovalFact, role: string): boolean =>
  holdsNow(approval, role) || approval.held_roles.includes(role) || approval.kept_roles.includes(role);

/** Returns the approvals that count as sign-offs in the role, and the rejections by holders of the role. */
export function signOffsOf(
  { approvals, authors }: Facts,
  role: string,
  reviewers: Reviewers,
): Record<'counted' | 'rejections', ApprovalFact[]> {
  const latest = latestByApprover(approvals);
  const approving = latest.filter(
    (approval) => approval.verdict === 'approved' && holdsNow(approval, role) && counts(approval, reviewers, authors),
  );
  const approvers = new Set(approving.map(({ approver_id }) => approver_id));
  const inRole = approvals.filter(
    (approval) => approval.role === role && approval.role_held === true && isStandingApproval(approval),
  );
  return {
    counted: inRole.filter(({ approver_id }) => approvers.has(approver_id)),
    rejections: latest.filter(
      (approval) =>
        (approval.verdict === 'rejected' || (approval.verdict === 'needs_work' && approval.in_round)) &&
        objectsAs(approval, role) &&
        !isDismissed(approval) &&
        blocks(approval, reviewers, authors),
    ),
  };
}

/** Returns the finding for a condition on verdicts; its text names the rejections, and those that were dismissed or lifted. */
export function verdictFinding(
  { approvals }: Facts,
  {
    counted,
    minimum,
    rejections,
    noun,
    hint,
  }: {
    counted: readonly ApprovalFact[];
    minimum: number;
    rejections: readonly ApprovalFact[];
    noun: string;
    hint: string;
  },
): ConditionFinding {
  const dismissed = approvals.filter(isDismissed);
  const lifted = latestByApprover(approvals).filter((each) => each.verdict === 'rejected' && each.is_lifted);
  const details = [
    `${counted.length} of ${minimum} ${noun}`,
    ...rejections.map(({ verdict, approver_id, id }) => `${verdict} by ${approver_id} (${id})`),
    ...dismissed.map(({ id, dismissed_by }) => `rejection ${id} was dismissed by ${dismissed_by}`),
    ...lifted.map(({ id, approver_id }) => `rejection ${id} ended with the membership of ${approver_id}`),
  ];
  return {
    passed: counted.length >= minimum && rejections.length === 0,
    detail: details.join('; '),
    hint:
      rejections.length === 0
        ? hint
        : `${hint} The person who rejected it must approve it, or an admin must dismiss the rejection.`,
    evidenceIds: [...counted, ...rejections, ...dismissed].map(({ id }) => id),
  };
}
