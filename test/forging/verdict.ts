import { personOf, type Condition, type Model, type Name, type Policy } from './model.js';

/** What a patch that closes the task changes besides. */
export interface Merged {
  assignee?: Name | null;
  parts?: readonly string[];
  checklist?: { text: string; checked: boolean }[];
}

/** Whether the task meets the policy, as that patch would leave it. */
export function isMet(model: Model, policy: Policy, merged: Merged = {}): boolean {
  const passed = findings(model, policy, merged).filter((each) => each === 'passed').length;
  return passed >= (policy.quorum ?? policy.conditions.length);
}

/** What each condition of the policy comes to. */
export const findings = (model: Model, policy: Policy, merged: Merged = {}): ('passed' | 'failed')[] =>
  policy.conditions.map((condition) => (passes(model, policy, condition, merged) ? 'passed' : 'failed'));

/** How closing the task must end. */
export function outcomeOf(
  model: Model,
  closer: Name,
  merged: Merged = {},
): 'met' | 'overridden' | 'no_policy' | 'refused' {
  const policy = model.policies[model.place];
  if (policy === undefined) return 'no_policy';
  const isRewritten = merged.parts?.some((part) => model.partsOf(policy).includes(part)) === true;
  if (isMet(model, policy, merged) && model.memberOf(closer)?.endorsed === policy.id) return 'met';
  return model.overridden && !isRewritten ? 'overridden' : 'refused';
}

function passes(model: Model, policy: Policy, { type, params }: Condition, merged: Merged): boolean {
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
      throw new Error(`the model knows no ${type}`);
  }
}

const isPosted = (model: Model, by: string | undefined): boolean =>
  model.results.filter(({ at, roles }) => at > model.reopened && (by === undefined || roles.includes(by))).at(-1)
    ?.passed === true;

/** The latest verdict of each person, by themselves or by their agent. */
function lastWords(model: Model): Model['approvals'] {
  const people = [...new Set(model.approvals.map(({ by }) => personOf(by)))];
  return people
    .map((person) => model.approvals.filter(({ by }) => personOf(by) === person).at(-1))
    .filter((each) => each !== undefined);
}

const isFresh = (model: Model, policy: Policy, { at }: { at: number }, { parts = [] }: Merged): boolean =>
  ![...model.changes.filter((change) => change.at > at).map(({ part }) => part), ...parts].some((part) =>
    model.partsOf(policy).includes(part),
  );

function counts(model: Model, policy: Policy, who: Name, params: Record<string, unknown>, merged: Merged): boolean {
  if (!model.isAble(who)) return false;
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

function isReviewed(model: Model, policy: Policy, params: Record<string, unknown>, merged: Merged): boolean {
  const words = lastWords(model);
  const rejected = words.some((said) => said.verdict === 'rejected' && isObjection(model, said, params));
  if (rejected && params.block_on_rejection !== false) return false;
  const given = words.filter(
    (said) =>
      said.verdict === 'approved' &&
      isFresh(model, policy, said, merged) &&
      counts(model, policy, said.by, params, merged),
  );
  return given.length >= Number(params.min_reviewers ?? 1);
}

function isSignedOff(model: Model, policy: Policy, params: Record<string, unknown>, merged: Merged): boolean {
  const role = String(params.role);
  const holders = lastWords(model).filter(({ by }) => model.holds(by, role));
  if (holders.some((said) => said.verdict !== 'approved' && isObjection(model, said, params))) return false;
  return holders.some((said) => {
    if (said.verdict !== 'approved' || !counts(model, policy, said.by, params, merged)) return false;
    const asRole = model.approvals.filter((each) => personOf(each.by) === personOf(said.by) && each.role === role);
    // Each of the two is held to what they said last in the role.
    const lasting = asRole.filter((each) => asRole.findLast(({ by }) => by === each.by) === each);
    return lasting.some((each) => each.verdict === 'approved' && each.roleHeld && isFresh(model, policy, each, merged));
  });
}
