import type { JsonRecord } from '../../../common/texts/json.js';
import type { FieldError } from '../../../common/errors.js';
import { beginningOf } from '../../../common/texts/text.js';
import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/bodies/fields/field.js';
import { attesterOf, type Attestation } from '../../tasks/completion/attestation.rules.js';
import type { Condition, ConditionFinding, ResultFact, TaskFacts } from './condition.js';
import { countParam, durationParam, flagParam, secondsOf, textParam, wordParam, type Param } from './params.js';
import { canBeEmpty, isChecked, isFilled, isVisibleItem, partsRead, valueOf } from './reading.js';
import { verdictFinding, reviewsOf, signOffsOf } from './verdicts.js';

/** What identifies a condition to those who confirm it. */
type ConditionText = Pick<Condition, 'id' | 'label'>;

/** A type of condition: its default label, its parameters and its evaluation. */
interface ConditionType {
  label: string;
  params: Record<string, Param>;
  evaluate(params: JsonRecord, facts: TaskFacts, condition: ConditionText): ConditionFinding;
  /** The field of the task that the evaluation reads by `valueOf`, if any. */
  fieldOf?(params: JsonRecord): string;
}

/** Defines a condition type with typed parameters; the rules in `params` have validated the stored values. */
const define = <P>(
  label: string,
  params: Record<keyof P & string, Param>,
  evaluate: (params: P, facts: TaskFacts, condition: ConditionText) => ConditionFinding,
): ConditionType => ({
  label,
  params,
  evaluate: (stored, facts, condition) => evaluate(stored as P, facts, condition),
});

/** Findings are repeated for each task, and stored with each check; the policy and the result have the whole text. */
const MAX_QUOTED = 500;

const USER_TYPES = ['any', 'human'] as const;

const peerReview = define<{
  min_reviewers: number;
  exclude_author: boolean;
  /** Absent in policies that are older than this parameter, in which rejections do not block. */
  block_on_rejection?: boolean;
  user_type?: string;
}>(
  'Peer review',
  {
    min_reviewers: countParam(1),
    exclude_author: flagParam(true),
    block_on_rejection: flagParam(true),
    user_type: wordParam(USER_TYPES, 'any'),
  },
  ({ min_reviewers: minimum, exclude_author, block_on_rejection = false, user_type = 'any' }, facts) => {
    const { counted, rejections } = reviewsOf(facts, { exclude_author, user_type });
    const reviewer = exclude_author ? 'someone other than the authors of the task' : 'someone';
    return verdictFinding(facts, {
      counted,
      minimum,
      rejections: block_on_rejection ? rejections : [],
      noun: 'reviewers approved the current content',
      hint: `Ask ${reviewer} to approve the task.`,
    });
  },
);

const commentRequired = define<{ min_comments: number }>(
  'Comment',
  { min_comments: countParam(1) },
  ({ min_comments }, { comments }) => {
    const counted = comments.slice(0, min_comments);
    return {
      passed: counted.length === min_comments,
      detail: `${counted.length} of ${min_comments} comments`,
      hint: 'Comment on the task.',
      evidenceIds: counted,
    };
  },
);

const stakeholderSignOff = define<{ role: string; exclude_author?: boolean }>(
  'Stakeholder sign-off',
  { role: textParam({ required: true }), exclude_author: flagParam(true) },
  ({ role, exclude_author = true }, facts) => {
    const { counted, rejections } = signOffsOf(facts, role, { exclude_author, user_type: 'any' });
    return verdictFinding(facts, {
      counted,
      minimum: 1,
      rejections,
      noun: `approvals in the role ${role}`,
      hint:
        `Ask a person with the role ${role}${exclude_author ? ' who is not an author of the task' : ''} to ` +
        'approve the task in that role.',
    });
  },
);

/** A condition that cannot fail would look like a rule. */
const neverEmptyErrors = (field: string, at: string): readonly FieldError[] =>
  canBeEmpty(field)
    ? NO_FIELD_ERRORS
    : fieldError(at, 'invalid_value', 'names a property that is never empty when a task is done.');

const fieldPopulated: ConditionType = {
  ...define<{ field: string }>(
    'Field filled',
    { field: { ...textParam({ required: true, max: 500 }), newErrors: neverEmptyErrors } },
    ({ field }, { task }) => {
      const passed = isFilled(valueOf(task, field));
      const detail = `${field} is ${passed ? 'filled' : 'empty'}`;
      return { passed, detail, hint: `Fill in ${field}.`, evidenceIds: [] };
    },
  ),
  fieldOf: ({ field }) => String(field),
};

const manualAttestation = define<{ prompt?: string }>(
  'Attestation',
  { prompt: textParam({ max: 50_000 }) },
  ({ prompt }, { task }, { id, label }) => {
    const given = isFilled(task.attested_at) ? (task.attestations as Attestation[] | null) : null;
    const by = attesterOf(given ?? [], { id, label, prompt: prompt ?? null });
    const isOther = by === undefined && isFilled(task.attested_at);
    const hint = `${prompt === undefined ? '' : `${beginningOf(prompt, MAX_QUOTED)} `}Confirm with metadata.dod_attested: true.`;
    const lacking = isOther ? 'not attested in its present words' : 'not attested';
    return {
      passed: by !== undefined,
      detail: by === undefined ? lacking : `attested by ${by}`,
      hint,
      evidenceIds: by === undefined ? [] : [by],
    };
  },
);

const MAX_NAMED = 10;

/** A condition that no open task is a part, or a blocker, of the task. */
const withoutOpen = (label: string, role: 'part' | 'blocker', noun: string, hint: string): ConditionType =>
  define<object>(label, {}, (_params, { authors, openEdges }) => {
    // Only an admin who is no author can take away what keeps the task open.
    const isLifted = ({ is_lost, by_admin, by_author, lost_by }: TaskFacts['openEdges'][number]): boolean =>
      is_lost && by_admin && lost_by !== null && !(by_author ?? authors.includes(lost_by));
    const open = openEdges.filter((edge) => edge.role === role && !isLifted(edge));
    const present = open.filter(({ is_lost }) => !is_lost).map(({ id }) => id);
    const lost = open.length > present.length ? [`${open.length - present.length} taken away in this round`] : [];
    const named = [...present.slice(0, MAX_NAMED), ...lost];
    const detail = open.length === 0 ? `no ${noun} is open` : `${open.length} open: ${named.join(', ')}`;
    return { passed: open.length === 0, detail, hint, evidenceIds: [] };
  });

const childrenClosed = withoutOpen('Children closed', 'part', 'child', 'Close the children of the task.');
const notBlocked = withoutOpen('Not blocked', 'blocker', 'blocker', 'Close the tasks that it depends on.');

const CHECKLIST = 'metadata.checklist';

const checklistComplete: ConditionType = {
  ...define<object>('Checklist', {}, (_params, { task }) => {
    const checklist = valueOf(task, CHECKLIST);
    const items: unknown[] = Array.isArray(checklist) ? checklist : [];
    const checked = items.filter(isChecked).length;
    const isVisible = items.some(isVisibleItem);
    return {
      passed: isVisible && checked === items.length,
      detail: !isVisible ? 'the checklist has no text' : `${checked} of ${items.length} items are checked`,
      hint: 'Set metadata.checklist to at least one item, and every item to checked: true.',
      evidenceIds: [],
    };
  }),
  fieldOf: () => CHECKLIST,
};

const testsPass = define<{ artifact_tag: string }>(
  'Tests pass',
  { artifact_tag: textParam({ defaultValue: 'test-report' }) },
  ({ artifact_tag }, { artifacts }) => {
    const newest = artifacts.find(({ tags }) => tags.includes(artifact_tag));
    return {
      passed: newest?.result === 'passed',
      detail:
        newest === undefined
          ? `no artifact of this round has the tag ${artifact_tag}`
          : `${newest.id} of ${newest.created_at} is the latest result`,
      hint: `Attach an artifact with the tag ${artifact_tag} and metadata.result: "passed".`,
      evidenceIds: newest === undefined ? [] : [newest.id],
    };
  },
);

const timeInStatus = define<{ min_duration: string; status: TaskStatus }>(
  'Time in status',
  { min_duration: durationParam('1h'), status: wordParam(TASK_STATUSES, 'active') },
  ({ min_duration, status }, { secondsIn }) => {
    const spent = Math.floor(secondsIn[status] ?? 0);
    const minimum = secondsOf(min_duration) ?? Infinity;
    const hint = `Keep the task in the status ${status} for at least ${min_duration}.`;
    return { passed: spent >= minimum, detail: `${spent} of ${minimum} seconds in ${status}`, hint, evidenceIds: [] };
  },
);

const customCheck = define<{ name: string; by?: string }>(
  'Custom check',
  { name: textParam({ required: true }), by: textParam() },
  ({ name, by }, { namedResources, results }) => {
    const newest = results.find((result) => result.name === name && mayPost(result, by, namedResources));
    const outcome = newest === undefined ? 'has no result' : newest.passed ? 'passed' : 'failed';
    return {
      passed: newest?.passed === true,
      detail: [`${name} ${outcome}`, beginningOf(newest?.detail ?? '', MAX_QUOTED)].filter(Boolean).join(': '),
      hint: `Post a passed result with the name ${name} to /tasks/{id}/dod-results.`,
      evidenceIds: newest === undefined ? [] : [newest.id],
    };
  },
);

/**
 * Whether the poster is the user or resource `by` or an agent of that person, or holds that role; always true without
 * `by`. For an agent that is named, its manager cannot post. `namedResources` are the resources behind named ids.
 */
export function mayPost(
  { posted_by, person_id, roles }: Pick<ResultFact, 'posted_by' | 'person_id' | 'roles'>,
  by: string | undefined,
  namedResources: TaskFacts['namedResources'],
): boolean {
  if (by === undefined || roles.includes(by)) return true;
  return Object.hasOwn(namedResources, by) && [posted_by, person_id].includes(namedResources[by]);
}

/** All condition types (spec 08). */
export const CONDITION_TYPES: Readonly<Record<string, ConditionType>> = {
  peer_review: peerReview,
  comment_required: commentRequired,
  stakeholder_sign_off: stakeholderSignOff,
  field_populated: fieldPopulated,
  children_closed: childrenClosed,
  not_blocked: notBlocked,
  manual_attestation: manualAttestation,
  checklist_complete: checklistComplete,
  tests_pass: testsPass,
  time_in_status: timeInStatus,
  custom_check: customCheck,
};

/** Returns the condition type of that name; names of inherited object properties are unknown. */
export const conditionType = (type: string): ConditionType | undefined =>
  Object.hasOwn(CONDITION_TYPES, type) ? CONDITION_TYPES[type] : undefined;

/** The columns and metadata keys of a task that the conditions read. */
export const partsReadBy = (conditions: readonly Condition[]): ReturnType<typeof partsRead> =>
  partsRead(conditions.flatMap(({ type, params }) => conditionType(type)?.fieldOf?.(params) ?? []));
