import { personOf, type Condition, type Model, type Name, type Policy } from './model.js';

/** Further changes of a patch that closes the task. */
export interface ClosingChanges {
  assignee?: Name | null;
  parts?: readonly string[];
  checklist?: { text: string; checked: boolean }[];
}

/** Whether the task meets the policy after the patch. */
export function isMet(model: Model, policy: Policy, merged: ClosingChanges = {}): boolean {
  const passed = findings(model, policy, merged).filter((each) => each === 'passed').length;
  return passed >= (policy.quorum ?? policy.conditions.length);
}

/** The result of each condition of the policy. */
export const findings = (model: Model, policy: Policy, merged: ClosingChanges = {}): ('passed' | 'failed')[] =>
  policy.conditions.map((condition) => (passes(model, policy, condition, merged) ? 'passed' : 'failed'));

/** The expected outcome of closing the task. */
export function outcomeOf(
  model: Model,
  closer: Name,
  merged: ClosingChanges = {},
): 'met' | 'overridden' | 'no_policy' | 'refused' {
  const policy = model.policies[model.place];
  if (policy === undefined) return 'no_policy';
  const isRewritten = merged.parts?.some((part) => model.partsOf(policy).includes(part)) === true;
  if (isMet(model, policy, merged) && model.memberOf(closer)?.endorsed === policy.id) return 'met';
  return model.overridden && !isRewritten ? 'overridden' : 'refused';
}

function passes(model: Model, policy: Policy, { type, params }: Condition, merged: ClosingChanges): boolean {
  switch (type) {
    case 'peer_review':
      return isReviewed(model, policy, params, merged);
    case 'stakeholder_sign_off':
      return isSignedOff(model, policy, params, merged);
    case 'comment_required':
      return model.comments >= Number(params.min_comments ?? 1);
    case 'field_populated':
      return model.hasSummary;
    case 'manual_attestation':
      return model.attested && !(merged.parts?.some((part) => model.partsOf(policy).includes(part)) ?? false);
    case 'checklist_complete': {
      const items = merged.checklist ?? model.checklist;
      return items.length > 0 && items.every(({ checked }) => checked);
    }
    case 'tests_pass':
      return model.reports.filter(({ passed, gone }) => !passed || !gone).at(-1)?.passed === true;
    case 'custom_check':
      return isPosted(model, params.by as string | undefined);
    default:
      throw new Error(`the model has no condition ${type}`);
  }
}

const isPosted = (model: Model, by: string | undefined): boolean =>
  model.results.filter(({ at, roles }) => at > model.reopened && (by === undefined || roles.includes(by))).at(-1)
    ?.passed === true;

/** The latest verdict of each person, by themselves or by their agent. */
function latestApprovals(model: Model): Model['approvals'] {
  const people = [...new Set(model.approvals.map(({ by }) => personOf(by)))];
  return people
    .map((person) => model.approvals.filter(({ by }) => personOf(by) === person).at(-1))
    .filter((each) => each !== undefined);
}

const isFresh = (model: Model, policy: Policy, { at }: { at: number }, { parts = [] }: ClosingChanges): boolean =>
  ![...model.changes.filter((change) => change.at > at).map(({ part }) => part), ...parts].some((part) =>
    model.partsOf(policy).includes(part),
  );

function counts(
  model: Model,
  policy: Policy,
  who: Name,
  params: Record<string, unknown>,
  merged: ClosingChanges,
): boolean {
  if (!model.isActiveMember(who)) return false;
  if (params.exclude_author === false) return true;
  return (
    !model.isAuthor(who, policy, merged.assignee === undefined ? model.assignee : merged.assignee) &&
    !model.isAuthor(who, policy)
  );
}

const isObjection = (model: Model, said: Model['approvals'][number], params: Record<string, unknown>): boolean =>
  model.rankOf(said.by) > 0 &&
  said.wasMember &&
  !said.dismissed &&
  !(params.exclude_author !== false && said.wasAuthor);

function isReviewed(model: Model, policy: Policy, params: Record<string, unknown>, merged: ClosingChanges): boolean {
  const latest = latestApprovals(model);
  const rejected = latest.some((said) => said.verdict === 'rejected' && isObjection(model, said, params));
  if (rejected && params.block_on_rejection !== false) return false;
  const given = latest.filter(
    (said) =>
      said.verdict === 'approved' &&
      isFresh(model, policy, said, merged) &&
      counts(model, policy, said.by, params, merged),
  );
  return given.length >= Number(params.min_reviewers ?? 1);
}

function isSignedOff(model: Model, policy: Policy, params: Record<string, unknown>, merged: ClosingChanges): boolean {
  const role = String(params.role);
  const holders = latestApprovals(model).filter(({ by }) => model.holds(by, role));
  if (holders.some((said) => said.verdict !== 'approved' && isObjection(model, said, params))) return false;
  return holders.some((said) => {
    if (said.verdict !== 'approved' || !counts(model, policy, said.by, params, merged)) return false;
    const asRole = model.approvals.filter((each) => personOf(each.by) === personOf(said.by) && each.role === role);
    // The latest verdict in the role counts, separately for a person and their agent.
    const lasting = asRole.filter((each) => asRole.findLast(({ by }) => by === each.by) === each);
    return lasting.some((each) => each.verdict === 'approved' && each.roleHeld && isFresh(model, policy, each, merged));
  });
}
