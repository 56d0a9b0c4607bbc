import { ENDEAVOUR_ROLES, rankOf } from '../../../common/roles.js';
import type { ApprovalFact, ConditionFinding, TaskFacts } from './condition.js';

type Facts = Pick<TaskFacts, 'approvals' | 'authors'>;

/** The people whose verdicts a condition counts. */
interface Reviewers {
  exclude_author: boolean;
  user_type: string;
}

const MEMBER = rankOf('member');

/** The latest verdict of each person in any role. Dismissed rejections do not count. */
function lastOf(approvals: readonly ApprovalFact[]): ApprovalFact[] {
  const last = new Map<string, ApprovalFact>();
  for (const approval of approvals) {
    if (!last.has(approval.person_id)) last.set(approval.person_id, approval);
  }
  return [...last.values()];
}

const isStanding = ({ dismissed_by }: ApprovalFact): boolean => dismissed_by === null;

const isOfType = ({ user_type }: ApprovalFact, wanted: string): boolean => wanted === 'any' || user_type === wanted;

/** Whether the approval counts now. */
const counts = (
  approval: ApprovalFact,
  { exclude_author, user_type }: Reviewers,
  authors: readonly string[],
): boolean =>
  approval.is_active &&
  approval.rank >= MEMBER &&
  isOfType(approval, user_type) &&
  !(exclude_author && authors.includes(approval.person_id));

/** Whether the approver was eligible at that time and is still there: until then, an objection stays. */
const objects = (approval: ApprovalFact, { exclude_author, user_type }: Reviewers): boolean =>
  approval.rank > 0 && approval.was_member && isOfType(approval, user_type) && !(exclude_author && approval.was_author);

/** Whether the approver holds the role now. The name of a role is never a stakeholder role. */
function holdsNow({ rank, stakeholder_roles }: ApprovalFact, role: string): boolean {
  const roles: readonly string[] = ENDEAVOUR_ROLES;
  return roles.includes(role) ? roles.slice(0, rank).includes(role) : stakeholder_roles.includes(role);
}

/** The approvals that count as reviews, and the rejections that block the task. */
export function reviewsOf(
  { approvals, authors }: Facts,
  wanted: Reviewers,
): Record<'given' | 'rejections', ApprovalFact[]> {
  const last = lastOf(approvals);
  return {
    given: last.filter((each) => each.verdict === 'approved' && !each.stale && counts(each, wanted, authors)),
    rejections: last.filter((each) => each.verdict === 'rejected' && isStanding(each) && objects(each, wanted)),
  };
}

/** The approvals that count as sign-offs of that role, and the rejections of other holders. */
export function signOffsOf(
  { approvals, authors }: Facts,
  role: string,
  wanted: Reviewers,
): Record<'given' | 'objections', ApprovalFact[]> {
  const last = lastOf(approvals).filter((each) => holdsNow(each, role));
  const approving = last.filter((each) => each.verdict === 'approved' && counts(each, wanted, authors));
  const approvers = new Set(approving.map(({ person_id }) => person_id));
  const asRole = approvals.filter(
    (each) => each.role === role && each.role_held === true && each.verdict === 'approved' && !each.stale,
  );
  return {
    given: asRole.filter(({ person_id }) => approvers.has(person_id)),
    objections: last.filter((each) => each.verdict !== 'approved' && isStanding(each) && objects(each, wanted)),
  };
}

/** The text for verdicts, and the ids that it is based on; dismissed rejections are named. */
export function findingOf(
  { approvals }: Facts,
  {
    given,
    least,
    against,
    what,
    hint,
  }: {
    given: readonly ApprovalFact[];
    least: number;
    against: readonly ApprovalFact[];
    what: string;
    hint: string;
  },
): ConditionFinding {
  const dismissed = approvals.filter((each) => !isStanding(each));
  const said = [
    `${given.length} of ${least} ${what}`,
    ...against.map(({ verdict, approver_id, id }) => `${verdict} by ${approver_id} (${id})`),
    ...dismissed.map(({ id, dismissed_by }) => `rejection ${id} was dismissed by ${dismissed_by}`),
  ];
  return {
    passed: given.length >= least && against.length === 0,
    detail: said.join('; '),
    hint:
      against.length === 0
        ? hint
        : `${hint} The person who rejected it must approve it, or an admin must dismiss the rejection.`,
    restsOn: [...given, ...against, ...dismissed].map(({ id }) => id),
  };
}
