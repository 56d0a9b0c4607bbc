import type { JsonRecord } from '../../../common/json.js';
import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import type { ConditionFinding, ResultFact, TaskFacts } from './condition.js';
import { countParam, durationParam, flagParam, secondsOf, textParam, wordParam, type Param } from './params.js';
import { isChecked, isFilled, valueOf } from './reading.js';
import { findingOf, reviewsOf, signOffsOf } from './verdicts.js';

/** A type of condition: its parameters and its check. */
export interface ConditionType {
  label: string;
  params: Record<string, Param>;
  judge(params: JsonRecord, facts: TaskFacts): ConditionFinding;
}

/** Gives each type its own parameter type; stored parameters were validated by the rules in `params`. */
const define = <P>(
  label: string,
  params: Record<keyof P & string, Param>,
  judge: (params: P, facts: TaskFacts) => ConditionFinding,
): ConditionType => ({ label, params, judge: (stored, facts) => judge(stored as P, facts) });

const counted = (found: readonly string[], least: number, what: string, hint: string): ConditionFinding => ({
  passed: found.length >= least,
  detail: `${found.length} of ${least} ${what}`,
  hint,
  restsOn: found,
});

const USER_TYPES = ['any', 'human'] as const;

const peerReview = define<{
  min_reviewers: number;
  exclude_author: boolean;
  /** Absent in policies that are older than the parameter; their meaning does not change. */
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
  ({ min_reviewers: least, exclude_author, block_on_rejection = false, user_type = 'any' }, facts) => {
    const { given, rejections } = reviewsOf(facts, { exclude_author, user_type });
    const who = exclude_author ? 'someone other than the authors of the task' : 'someone';
    return findingOf(facts, {
      given,
      least,
      against: block_on_rejection ? rejections : [],
      what: 'reviewers approved the current content',
      hint: `Ask ${who} to approve the task.`,
    });
  },
);

const commentRequired = define<{ min_comments: number }>(
  'Comment',
  { min_comments: countParam(1) },
  ({ min_comments }, { comments }) => counted(comments, min_comments, 'comments', 'Comment on the task.'),
);

const stakeholderSignOff = define<{ role: string; exclude_author?: boolean }>(
  'Stakeholder sign-off',
  { role: textParam({ required: true }), exclude_author: flagParam(true) },
  ({ role, exclude_author = true }, facts) => {
    const { given, objections } = signOffsOf(facts, role, { exclude_author, user_type: 'any' });
    return findingOf(facts, {
      given,
      least: 1,
      against: objections,
      what: `approvals in the role ${role}`,
      hint:
        `Ask a person with the role ${role}${exclude_author ? ' who is not an author of the task' : ''} to ` +
        'approve the task in that role.',
    });
  },
);

const fieldPopulated = define<{ field: string }>(
  'Field filled',
  { field: textParam({ required: true, max: 500 }) },
  ({ field }, { task }) => {
    const passed = isFilled(valueOf(task, field));
    return { passed, detail: `${field} is ${passed ? 'filled' : 'empty'}`, hint: `Fill in ${field}.`, restsOn: [] };
  },
);

const manualAttestation = define<{ prompt?: string }>(
  'Attestation',
  { prompt: textParam({ max: 50_000 }) },
  ({ prompt }, { task }) => {
    const passed = isFilled(task.attested_at);
    const by = passed ? [String(task.attested_by)] : [];
    const hint = `${prompt === undefined ? '' : `${prompt} `}Confirm with metadata.dod_attested: true.`;
    return { passed, detail: passed ? `attested by ${by[0]}` : 'not attested', hint, restsOn: by };
  },
);

const checklistComplete = define<object>('Checklist', {}, (_params, { task }) => {
  const checklist = valueOf(task, 'metadata.checklist');
  const items: unknown[] = Array.isArray(checklist) ? checklist : [];
  const checked = items.filter(isChecked).length;
  return {
    passed: items.length > 0 && checked === items.length,
    detail: items.length === 0 ? 'the checklist is missing' : `${checked} of ${items.length} items are checked`,
    hint: 'Set metadata.checklist to at least one item, and every item to checked: true.',
    restsOn: [],
  };
});

const testsPass = define<{ artifact_tag: string }>(
  'Tests pass',
  { artifact_tag: textParam({ absent: 'test-report' }) },
  ({ artifact_tag }, { artifacts }) => {
    const newest = artifacts.find(({ tags }) => tags.includes(artifact_tag));
    return {
      passed: newest?.result === 'passed',
      detail: newest === undefined ? `no artifact has the tag ${artifact_tag}` : `${newest.id} is the latest result`,
      hint: `Attach an artifact with the tag ${artifact_tag} and metadata.result: "passed".`,
      restsOn: newest === undefined ? [] : [newest.id],
    };
  },
);

const timeInStatus = define<{ min_duration: string; status: TaskStatus }>(
  'Time in status',
  { min_duration: durationParam('1h'), status: wordParam(TASK_STATUSES, 'active') },
  ({ min_duration, status }, { secondsIn }) => {
    const spent = Math.floor(secondsIn[status] ?? 0);
    const least = secondsOf(min_duration) ?? Infinity;
    const hint = `Keep the task in the status ${status} for at least ${min_duration}.`;
    return { passed: spent >= least, detail: `${spent} of ${least} seconds in ${status}`, hint, restsOn: [] };
  },
);

const customCheck = define<{ name: string; by?: string }>(
  'Custom check',
  { name: textParam({ required: true }), by: textParam() },
  ({ name, by }, { results }) => {
    const newest = results.find((result) => result.name === name && mayPost(result, by));
    const said = newest === undefined ? 'has no result' : newest.passed ? 'passed' : 'failed';
    return {
      passed: newest?.passed === true,
      detail: [`${name} ${said}`, newest?.detail].filter(Boolean).join(': '),
      hint: `Post a passed result with the name ${name} to /tasks/{id}/dod-results.`,
      restsOn: newest === undefined ? [] : [newest.id],
    };
  },
);

/** Whether the poster holds the required role or is the required user or resource; true if none is required. */
export const mayPost = (
  { posted_by, user_id, roles }: Pick<ResultFact, 'posted_by' | 'user_id' | 'roles'>,
  by: string | undefined,
): boolean => by === undefined || posted_by === by || user_id === by || roles.includes(by);

/** Every condition type (spec 08). */
export const CONDITION_TYPES: Readonly<Record<string, ConditionType>> = {
  peer_review: peerReview,
  comment_required: commentRequired,
  stakeholder_sign_off: stakeholderSignOff,
  field_populated: fieldPopulated,
  manual_attestation: manualAttestation,
  checklist_complete: checklistComplete,
  tests_pass: testsPass,
  time_in_status: timeInStatus,
  custom_check: customCheck,
};

/** The type of that name; inherited object properties do not count. */
export const conditionType = (type: string): ConditionType | undefined =>
  Object.hasOwn(CONDITION_TYPES, type) ? CONDITION_TYPES[type] : undefined;
