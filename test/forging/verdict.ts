import type { Approval, Condition, Policy, Report } from './facts.js';
import { attestedKey, type Model } from './model.js';
import type { Name } from './people.js';
import { and, atLeast, both, not, or, type Truth } from './truth.js';

/** The task after a request, and before it: who is an author only before or only after it may count or not. */
export interface Merged {
  after: Model;
  before: Model;
}

type Params = Record<string, unknown>;

/** The result of each condition of the policy. */
export const findings = (merged: Merged, policy: Policy): Truth[] =>
  policy.conditions.map((condition) => passes(merged, policy, condition));

export const isMet = (merged: Merged, policy: Policy): Truth =>
  atLeast(policy.quorum ?? policy.conditions.length, findings(merged, policy));

/** The outcomes of closing the task that the specification allows. */
export function outcomesOf(merged: Merged, closer: Name): string[] {
  const { after } = merged;
  const { policy, override } = after;
  if (policy === undefined) return ['no_policy'];
  const isEndorsed = after.people.members[after.place].get(closer)?.endorsed === policy.id;
  const met = and(isMet(merged, policy), isEndorsed);
  const isSame = override?.policy === policy.id;
  const overridden = override === undefined ? false : and(isSame, isUntouched(after, policy, override.at));
  const outcomes = [
    ...(met === false ? [] : ['met']),
    ...(met === true || overridden === false ? [] : ['overridden']),
    ...(met === true || overridden === true ? [] : ['refused']),
  ];
  return outcomes;
}

function passes(merged: Merged, policy: Policy, condition: Condition): Truth {
  const { after: model } = merged;
  const { type, params } = condition;
  switch (type) {
    case 'peer_review':
      return isReviewed(merged, policy, params);
    case 'stakeholder_sign_off':
      return isSignedOff(merged, policy, params);
    case 'comment_required':
      return model.comments >= Number(params.min_comments ?? 1);
    case 'field_populated':
      return isPopulated(model, String(params.field));
    case 'manual_attestation':
      return isAttested(model, policy, condition);
    case 'checklist_complete':
      return model.checklist.length > 0 && model.checklist.every(({ checked }) => checked);
    case 'tests_pass':
      return isTested(model);
    case 'custom_check':
      return isPosted(model, params.by as string | undefined);
    case 'children_closed':
      return isFree(model, 'child');
    case 'not_blocked':
      return isFree(model, 'blocker');
    case 'time_in_status':
      return model.minutesActive() >= 60;
    default:
      throw new Error(`the model has no condition ${type}`);
  }
}

function isPopulated(model: Model, field: string): boolean {
  if (field === 'description') return model.hasDescription;
  return field === 'due_date' ? model.hasDueDate : model.hasSummary;
}

function isAttested(model: Model, policy: Policy, condition: Condition): Truth {
  const given = model.attestations.filter(
    ({ conditions, round, hasLapsed }) => !hasLapsed && round === model.round && conditions.has(attestedKey(condition)),
  );
  return or(...given.map(({ at }) => isUntouched(model, policy, at)));
}

/** A change that the policy names, but not the policy of that time, may count or not for what was not a verdict. */
const isUntouched = (model: Model, policy: Policy, at: number): Truth => {
  const parts = model.partsOf(policy);
  return model.changes.some((change) => change.at > at && parts.includes(change.part)) ? undefined : true;
};

/** A report that is not passed and was ever tied to the task stays with it; others must be tied to it now. */
function isTested(model: Model): Truth {
  return model.reports.reduce<Truth>((earlier, report) => {
    const belongs = report.round === model.round && belongsTo(model, report);
    return belongs === undefined ? both(report.passed, earlier) : belongs ? report.passed : earlier;
  }, false);
}

function belongsTo(model: Model, { passed, place, isLiving, hasTaskId, ties }: Report): Truth {
  const byMembers = ties.filter(({ isByMember }) => isByMember);
  if (!passed) return hasTaskId || byMembers.length > 0;
  if (!isLiving || place !== model.place) return false;
  const alive = byMembers.filter(({ isAlive }) => isAlive);
  if (hasTaskId || alive.some((tie) => tie.place === model.place)) return true;
  // Whether a relation counts that was made when the task was elsewhere is open.
  return alive.length > 0 ? undefined : false;
}

const isPosted = (model: Model, by: string | undefined): boolean =>
  model.results.filter(({ round, roles }) => round === model.round && (by === undefined || roles.includes(by))).at(-1)
    ?.passed === true;

const isFree = (model: Model, kind: string): Truth =>
  and(
    ...model.others
      .filter((each) => each.kind === kind && ['planned', 'active'].includes(each.status))
      .map(({ hasEdge, place, separated }): Truth => {
        if (hasEdge && place === model.place) return false;
        if (separated?.round !== model.round) return true;
        return separated.wasAdmin ? not(separated.wasAuthor) : false;
      }),
  );

/** The latest verdict of each approver. */
const latestApprovals = (model: Model): Approval[] =>
  model.approvals.filter((each) => model.approvals.findLast(({ by }) => by === each.by) === each);

/** Whether the content is the one that was judged. */
export function isFresh(model: Model, policy: Policy | undefined, at: number): Truth {
  const later = model.changes.filter((change) => change.at > at);
  if (later.some(({ part }) => model.partsOf(policy).includes(part))) return false;
  return later.some(({ wasApproved }) => wasApproved) ? undefined : true;
}

const isCurrent = (model: Model, policy: Policy, said: Approval): Truth =>
  said.verdict === 'approved' && said.round === model.round ? isFresh(model, policy, said.at) : false;

function counts({ after, before }: Merged, policy: Policy, { by: who, person }: Approval, params: Params): Truth {
  if (!after.isActiveMember(who)) return false;
  if (params.user_type === 'human' && after.people.isAgent(who)) return false;
  if (params.exclude_author === false) return true;
  const isAuthor = both(after.isAuthor(who, policy), before.isAuthor(who, policy));
  // Whether an agent can approve in place of a manager who is an author, and be handed over then, is open.
  return not(or(isAuthor, and(after.isAuthor(person, policy), undefined)));
}

/** Whether a verdict stands in the way: its giver could count when giving it, and it is not lifted. */
function isObjection(model: Model, policy: Policy, said: Approval, params: Params): Truth {
  if (said.verdict === 'approved') return false;
  if (said.verdict === 'needs_work' && said.round !== model.round) return false;
  if (params.user_type === 'human' && model.people.isAgent(said.by)) return false;
  const couldCount = params.exclude_author === false ? true : not(model.wasAuthor(said, policy));
  return and(!said.isDismissed && !said.isLifted, couldCount);
}

function isReviewed(merged: Merged, policy: Policy, params: Params): Truth {
  const { after: model } = merged;
  const latest = latestApprovals(model);
  const rejections = latest.filter(({ verdict }) => verdict === 'rejected');
  const isRejected = or(...rejections.map((said) => isObjection(model, policy, said, params)));
  const given = latest.map((said) => ({
    said,
    person: model.people.personOf(said.by),
    counts: and(isCurrent(model, policy, said), counts(merged, policy, said, params)),
  }));
  const people = [...new Set(given.map(({ person }) => person))];
  const reviewers = people.map((each) =>
    or(
      ...given
        .filter(({ person }) => person === each)
        .map(({ said, person, counts: isCounted }) => {
          const former = given.filter((other) => said.person !== person && other.person === said.person);
          // Whether an agent and the manager of that time, who both approved, are one reviewer later is open.
          return and(isCounted, former.some((other) => other.counts !== false) ? undefined : true);
        }),
    ),
  );
  const isEnough = atLeast(Number(params.min_reviewers ?? 1), reviewers);
  return params.block_on_rejection === false ? isEnough : and(isEnough, not(isRejected));
}

function isSignedOff(merged: Merged, policy: Policy, params: Params): Truth {
  const { after: model } = merged;
  const role = String(params.role);
  const latest = latestApprovals(model);
  const isHolder = ({ by }: Approval): boolean => model.people.holds(by, role, model.place);
  // The objection keeps the role when the task moves, and when an author takes the role away.
  const objectsAs = (said: Approval): boolean => isHolder(said) || said.held.includes(role) || said.kept.includes(role);
  const signed = latest.filter(isHolder).map((said) => {
    const asRole = model.approvals.findLast((each) => each.by === said.by && each.role === role);
    if (said.verdict !== 'approved' || asRole?.roleHeld !== true) return false;
    const objections = latest
      .filter((other) => other !== said)
      .map((other): Truth => {
        const objects = objectsAs(other) && isObjection(model, policy, other, params);
        // Whether an agent and its manager can object to each other is open.
        return model.people.isOne(other.by, said.by) ? and(objects, undefined) : objects;
      });
    return and(isCurrent(model, policy, asRole), counts(merged, policy, said, params), not(or(...objections)));
  });
  return or(...signed);
}
