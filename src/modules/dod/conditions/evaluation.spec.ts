import { attestationOf } from '../../tasks/completion/attestation.rules.js';
import { LARGE_COLUMNS } from '../../tasks/tasks.repository.js';
import type { ApprovalFact, Condition, ResultFact, TaskFacts } from './condition.js';
import { evaluate } from './evaluation.js';
import { secondsOf } from './params.js';
import { CONDITION_TYPES, partsReadBy } from './types.js';
import { completeConditions } from './sent.js';

const NOTHING: TaskFacts = {
  task: { id: 'tsk_1', metadata: {}, attested_at: null, assignee_id: null },
  authors: [],
  approvals: [],
  comments: [],
  artifacts: [],
  secondsIn: {},
  openEdges: [],
  namedResources: {},
  results: [],
};

const approval = (
  approver_id: string,
  verdict = 'approved',
  role: string | null = null,
  more: Partial<ApprovalFact> = {},
): ApprovalFact => ({
  id: `${approver_id} ${verdict}`,
  approver_id,
  people: [approver_id],
  verdict,
  role,
  role_held: role === null ? null : true,
  stale: false,
  in_round: true,
  dismissed_by: null,
  was_member: true,
  was_author: false,
  is_lifted: false,
  ended_by: null,
  ended_by_author: null,
  held_roles: ['viewer', 'member'],
  kept_roles: [],
  giver_type: null,
  user_type: 'human',
  is_active: true,
  rank: 2,
  stakeholder_roles: ['po'],
  ...more,
});
const withTask = (task: object): Partial<TaskFacts> => ({ task: { ...NOTHING.task, ...task } });
const attestedAs = (label: string, prompt: string | null = null) => ({
  attested_at: new Date(),
  attestations: [attestationOf({ id: 'manual_attestation', label, prompt }, 'res_1')],
});
const artifact = (id: string, result: unknown, tags = ['test-report']) => ({
  id,
  tags,
  result,
  created_at: '2026-11-26T12:00:00.000Z',
});
const result = (name: string, passed: boolean, more: Partial<ResultFact> = {}): ResultFact => ({
  id: `${name} ${passed}`,
  name,
  passed,
  detail: null,
  posted_by: 'res_1',
  person_id: 'res_1',
  roles: ['viewer', 'member'],
  ...more,
});

const passes = (
  type: string,
  params: object,
  facts: Partial<TaskFacts>,
  taskOf: typeof namedParts = wholeTask,
): boolean => {
  const conditions = completeConditions([{ type, params: { ...params } }]);
  const { task, ...others } = { ...NOTHING, ...facts };
  return evaluate({ conditions, strictness: 'all', quorum: null }, { ...others, task: taskOf(task, conditions) }).isMet;
};

type Task = TaskFacts['task'];
const wholeTask = (task: Task): Task => task;

/** The task as it is read for many tasks at once: of large columns, only what the conditions name. */
function namedParts(task: Task, conditions: readonly Condition[]): Task {
  const { columns, metadataKeys } = partsReadBy(conditions);
  const without = LARGE_COLUMNS.filter((column) => !columns.includes(column));
  const kept = Object.entries(task.metadata as object).filter(([key]) => metadataKeys.includes(key));
  const small = Object.entries(task).filter(([column]) => !without.includes(column));
  return { metadata: Object.fromEntries(kept), ...Object.fromEntries(small), id: task.id };
}

const edge = (role: 'part' | 'blocker', more: Partial<TaskFacts['openEdges'][number]> = {}) => ({
  openEdges: [{ role, id: 'tsk_2', is_lost: false, lost_by: null, by_admin: false, by_author: null, ...more }],
});

type Case = [says: string, type: string, params: object, facts: Partial<TaskFacts>, isMet: boolean];

const CASES: Case[] = [
  ['it has no child', 'children_closed', {}, edge('blocker'), true],
  ['a child is open', 'children_closed', {}, edge('part'), false],
  ['a member took an open child away', 'children_closed', {}, edge('part', { is_lost: true, lost_by: 'bob' }), false],
  [
    'an admin took an open child away',
    'children_closed',
    {},
    edge('part', { is_lost: true, lost_by: 'bob', by_admin: true }),
    true,
  ],
  [
    'an admin who is its author did',
    'children_closed',
    {},
    { authors: ['bob'], ...edge('part', { is_lost: true, lost_by: 'bob', by_admin: true }) },
    false,
  ],
  ['nothing blocks it', 'not_blocked', {}, edge('part'), true],
  ['something blocks it', 'not_blocked', {}, edge('blocker'), false],
  ['it has no review', 'peer_review', {}, {}, false],
  ['another user approved it', 'peer_review', {}, { approvals: [approval('bob')] }, true],
  ['its author approved it', 'peer_review', {}, { approvals: [approval('ann')], authors: ['ann'] }, false],
  [
    'its author approved it and exclude_author is false',
    'peer_review',
    { exclude_author: false },
    { approvals: [approval('ann')], authors: ['ann'] },
    true,
  ],
  [
    'one person did, twice',
    'peer_review',
    { min_reviewers: 2 },
    { approvals: [approval('bob', 'approved', 'member'), approval('bob')] },
    false,
  ],
  ['two did', 'peer_review', { min_reviewers: 2 }, { approvals: [approval('bob'), approval('cat')] }, true],
  [
    'one did and rejected it since in another role',
    'peer_review',
    {},
    { approvals: [approval('bob', 'rejected', 'member'), approval('bob')] },
    false,
  ],
  [
    'one did who had rejected it before in another role',
    'peer_review',
    {},
    { approvals: [approval('bob'), approval('bob', 'rejected', 'member')] },
    true,
  ],
  [
    'one did, of what it was',
    'peer_review',
    {},
    { approvals: [approval('bob', 'approved', null, { stale: true })] },
    false,
  ],
  ['a former member did', 'peer_review', {}, { approvals: [approval('bob', 'approved', null, { rank: 0 })] }, false],
  [
    'one did who is a viewer now',
    'peer_review',
    {},
    { approvals: [approval('bob', 'approved', null, { rank: 1 })] },
    false,
  ],
  [
    'one did who is suspended',
    'peer_review',
    {},
    { approvals: [approval('bob', 'approved', null, { is_active: false })] },
    false,
  ],
  [
    'an agent did, and people are asked for',
    'peer_review',
    { user_type: 'human' },
    { approvals: [approval('bot', 'approved', null, { user_type: 'agent' })] },
    false,
  ],
  ['an agent did', 'peer_review', {}, { approvals: [approval('bot', 'approved', null, { user_type: 'agent' })] }, true],
  [
    'one did and another rejected it',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected'), approval('bob')] },
    false,
  ],
  [
    'another rejected it, which blocks nothing here',
    'peer_review',
    { block_on_rejection: false },
    { approvals: [approval('cat', 'rejected'), approval('bob')] },
    true,
  ],
  [
    'another says it needs work',
    'peer_review',
    {},
    { approvals: [approval('cat', 'needs_work'), approval('bob')] },
    true,
  ],
  [
    'another rejected it as it was',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { stale: true }), approval('bob')] },
    false,
  ],
  [
    'another rejected it and became an author since',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected'), approval('bob')], authors: ['cat'] },
    false,
  ],
  [
    'an author rejected it',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { was_author: true }), approval('bob')] },
    true,
  ],
  [
    'one rejected it who was no member',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { was_member: false }), approval('bob')] },
    true,
  ],
  [
    'one rejected it and left',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { rank: 0, is_lifted: true }), approval('bob')] },
    true,
  ],
  [
    'one rejected it where it was before',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { rank: 0 }), approval('bob')] },
    false,
  ],
  [
    'one rejected it whom an author removed who is none any more',
    'peer_review',
    {},
    {
      approvals: [
        approval('cat', 'rejected', null, { rank: 0, held_roles: [], ended_by: 'dia', ended_by_author: true }),
        approval('bob'),
      ],
    },
    false,
  ],
  [
    'one rejected it whom somebody removed before it was stored who is an author',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { held_roles: [], ended_by: 'dia' }), approval('bob')] },
    true,
  ],
  [
    'one rejected it whom an author removed before it was stored who is an author',
    'peer_review',
    {},
    {
      approvals: [approval('cat', 'rejected', null, { held_roles: [], ended_by: 'dia' }), approval('bob')],
      authors: ['dia'],
    },
    false,
  ],
  [
    'one rejected it and was suspended',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { is_active: false }), approval('bob')] },
    false,
  ],
  [
    'one rejected it who is a viewer now',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { rank: 1 }), approval('bob')] },
    false,
  ],
  [
    'a rejection was dismissed',
    'peer_review',
    {},
    { approvals: [approval('cat', 'rejected', null, { dismissed_by: 'ann' }), approval('bob')] },
    true,
  ],
  ['the only review is needs_work', 'peer_review', {}, { approvals: [approval('bob', 'needs_work')] }, false],

  ['it has no comment', 'comment_required', {}, {}, false],
  ['it has one comment of two', 'comment_required', { min_comments: 2 }, { comments: ['c1'] }, false],
  ['it has two comments of two', 'comment_required', { min_comments: 2 }, { comments: ['c1', 'c2'] }, true],

  ['no stakeholder signed it off', 'stakeholder_sign_off', { role: 'po' }, { approvals: [approval('bob')] }, false],
  [
    'an approval is in another role',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'member')] },
    false,
  ],
  [
    'a stakeholder in the role rejected it',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'rejected', 'po')] },
    false,
  ],
  [
    'a stakeholder in the role approved it',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po')] },
    true,
  ],
  [
    'one in the role rejected it, from whom an author took the role',
    'stakeholder_sign_off',
    { role: 'po' },
    {
      approvals: [
        approval('bob', 'approved', 'po'),
        approval('cat', 'rejected', null, { stakeholder_roles: [], kept_roles: ['po'] }),
      ],
    },
    false,
  ],
  [
    'one in the role said needs_work, and lost the role otherwise',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po'), approval('cat', 'needs_work', 'po', { stakeholder_roles: [] })] },
    true,
  ],
  [
    'the approver has lost the role since',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po', { stakeholder_roles: [] })] },
    false,
  ],
  [
    'the approver got the role after the approval',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po', { role_held: false })] },
    false,
  ],
  [
    'a stakeholder role says owner, which the rank does not',
    'stakeholder_sign_off',
    { role: 'owner' },
    { approvals: [approval('bob', 'approved', 'owner', { stakeholder_roles: ['owner'] })] },
    false,
  ],
  [
    'an owner did',
    'stakeholder_sign_off',
    { role: 'owner' },
    { approvals: [approval('bob', 'approved', 'owner', { rank: 4 })] },
    true,
  ],
  [
    'its author did',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('ann', 'approved', 'po')], authors: ['ann'] },
    false,
  ],
  [
    'its author approved it and exclude_author is false',
    'stakeholder_sign_off',
    { role: 'po', exclude_author: false },
    { approvals: [approval('ann', 'approved', 'po')], authors: ['ann'] },
    true,
  ],
  [
    'one did, and said it needs work since',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'needs_work'), approval('bob', 'approved', 'po')] },
    false,
  ],
  [
    'one did, and approved it again since',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob'), approval('bob', 'approved', 'po')] },
    true,
  ],
  [
    'the content changed since, though the last word is of the present one',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob'), approval('bob', 'approved', 'po', { stale: true })] },
    false,
  ],
  [
    'another who holds the role objects',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('cat', 'needs_work'), approval('bob', 'approved', 'po')] },
    false,
  ],
  [
    'another who does not hold it objects',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('cat', 'rejected', null, { stakeholder_roles: [] }), approval('bob', 'approved', 'po')] },
    true,
  ],

  ['the field is empty', 'field_populated', { field: 'description' }, withTask({ description: null }), false],
  ['the field is blank', 'field_populated', { field: 'description' }, withTask({ description: ' \n' }), false],
  ['the field has text', 'field_populated', { field: 'description' }, withTask({ description: 'Green' }), true],
  ['the field is 0, which is something', 'field_populated', { field: 'actual' }, withTask({ actual: 0 }), true],
  ['it has no assignee', 'field_populated', { field: 'assignee_name' }, withTask({}), false],
  ['it has an assignee', 'field_populated', { field: 'assignee_name' }, withTask({ assignee_id: 'res_1' }), true],
  ['the date is set', 'field_populated', { field: 'due_date' }, withTask({ due_date: new Date() }), true],
  ['no metadata of that name', 'field_populated', { field: 'result_summary' }, {}, false],
  [
    'metadata of that name',
    'field_populated',
    { field: 'result_summary' },
    withTask({ metadata: { result_summary: 'Painted' } }),
    true,
  ],
  [
    'metadata by its path',
    'field_populated',
    { field: 'metadata.result_summary' },
    withTask({ metadata: { result_summary: 'Painted' } }),
    true,
  ],
  ['an empty list', 'field_populated', { field: 'links' }, withTask({ metadata: { links: [] } }), false],
  ['what every object has', 'field_populated', { field: 'constructor' }, {}, false],

  ['it is not attested', 'manual_attestation', {}, {}, false],
  [
    'only its metadata says that it is attested',
    'manual_attestation',
    {},
    withTask({ metadata: { dod_attested: true } }),
    false,
  ],
  ['a user attested it', 'manual_attestation', {}, withTask(attestedAs('Attestation')), true],
  ['a user attested it in other words', 'manual_attestation', {}, withTask(attestedAs('Other')), false],

  ['the checklist is missing', 'checklist_complete', {}, {}, false],
  ['the checklist is empty', 'checklist_complete', {}, withTask({ metadata: { checklist: [] } }), false],
  [
    'the checklist is not a list',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: { checked: true } } }),
    false,
  ],
  [
    'one item is open',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: [{ checked: true }, { text: 'Oil the hinges' }] } }),
    false,
  ],
  [
    'an item has another value than true for checked',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: [{ checked: 'yes' }] } }),
    false,
  ],
  [
    'every item is checked',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: [{ text: 'Oil the hinges', checked: true }] } }),
    true,
  ],
  [
    'its items say nothing',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: [{ checked: true }] } }),
    false,
  ],

  ['no test report exists', 'tests_pass', {}, {}, false],
  ['it says passed', 'tests_pass', {}, { artifacts: [artifact('a', 'passed')] }, true],
  [
    'the newest says failed',
    'tests_pass',
    {},
    { artifacts: [artifact('b', 'failed'), artifact('a', 'passed')] },
    false,
  ],
  ['it has another tag', 'tests_pass', {}, { artifacts: [artifact('a', 'passed', ['notes'])] }, false],
  [
    'another tag is asked for',
    'tests_pass',
    { artifact_tag: 'e2e' },
    { artifacts: [artifact('a', 'passed', ['e2e'])] },
    true,
  ],
  ['passed means the word', 'tests_pass', {}, { artifacts: [artifact('a', true)] }, false],

  ['it was never active', 'time_in_status', {}, {}, false],
  ['it was for 59 minutes', 'time_in_status', {}, { secondsIn: { active: 3599 } }, false],
  ['it was for an hour', 'time_in_status', {}, { secondsIn: { active: 3600 } }, true],
  [
    'it was planned',
    'time_in_status',
    { min_duration: '2d', status: 'planned' },
    { secondsIn: { planned: 172_800 } },
    true,
  ],

  ['nothing was posted', 'custom_check', { name: 'scan' }, {}, false],
  [
    'the newest is failed',
    'custom_check',
    { name: 'scan' },
    { results: [result('scan', false), result('scan', true)] },
    false,
  ],
  ['another one passed', 'custom_check', { name: 'scan' }, { results: [result('lint', true)] }, false],
  ['it passed', 'custom_check', { name: 'scan' }, { results: [result('scan', true)] }, true],
  ['the wrong one posted it', 'custom_check', { name: 'scan', by: 'qa' }, { results: [result('scan', true)] }, false],
  [
    'a user with the named role posted a result before another user did',
    'custom_check',
    { name: 'scan', by: 'qa' },
    { results: [result('scan', false), result('scan', true, { roles: ['member', 'qa'] })] },
    true,
  ],
  [
    'the right one posted it',
    'custom_check',
    { name: 'scan', by: 'usr_1' },
    { results: [result('scan', true)], namedResources: { usr_1: 'res_1' } },
    true,
  ],
  [
    'an agent of the named one posted it',
    'custom_check',
    { name: 'scan', by: 'usr_1' },
    { results: [result('scan', true, { posted_by: 'res_bot' })], namedResources: { usr_1: 'res_1' } },
    true,
  ],
  [
    'an agent and its manager did',
    'peer_review',
    { min_reviewers: 2 },
    { approvals: [approval('bot', 'approved', null, { people: ['bob'] }), approval('bob')] },
    false,
  ],
  [
    'an agent and its former manager did',
    'peer_review',
    { min_reviewers: 2 },
    { approvals: [approval('bot', 'approved', null, { people: ['ann', 'bob'] }), approval('bob')] },
    false,
  ],
  [
    'an agent rejected it and its manager approved it',
    'peer_review',
    {},
    { approvals: [approval('bob'), approval('bot', 'rejected', null, { people: ['bob'] })] },
    false,
  ],
  [
    'a reviewer approved it in an earlier round',
    'peer_review',
    {},
    { approvals: [approval('bob', 'approved', null, { in_round: false })] },
    false,
  ],
  [
    'a holder found in an earlier round that it needs work',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po'), approval('cat', 'needs_work', null, { in_round: false })] },
    true,
  ],
  [
    'a holder rejected it in an earlier round',
    'stakeholder_sign_off',
    { role: 'po' },
    { approvals: [approval('bob', 'approved', 'po'), approval('cat', 'rejected', null, { in_round: false })] },
    false,
  ],
];

describe('evaluating a task', () => {
  it.each(CASES)('%s: %s %j', (_, type, params, facts, isMet) => {
    expect(passes(type, params, facts)).toBe(isMet);
  });

  it.each(CASES)('%s, of many tasks: %s %j', (_, type, params, facts, isMet) => {
    expect(passes(type, params, facts, namedParts)).toBe(isMet);
  });

  it('is tested with a met and an unmet case of every condition type', () => {
    const seen = CASES.map(([, type, , , isMet]) => `${type} ${isMet}`);
    const wanted = Object.keys(CONDITION_TYPES).flatMap((type) => [`${type} true`, `${type} false`]);
    expect([...new Set(seen)].sort()).toEqual(wanted.sort());
  });

  const three = completeConditions([
    { type: 'comment_required' },
    { type: 'manual_attestation', params: { prompt: 'Is it green?' } },
    { type: 'checklist_complete', required: false },
  ]);
  const discussed = { ...NOTHING, comments: ['cmt_1'] };

  it('returns a finding, a hint and the counted evidence for each condition', () => {
    const { isMet, results, evidenceIds } = evaluate({ conditions: three, strictness: 'all', quorum: null }, discussed);
    expect(isMet).toBe(false);
    expect(results[0]).toEqual({
      id: 'comment_required',
      type: 'comment_required',
      label: 'Comment',
      required: true,
      status: 'passed',
      detail: '1 of 1 comments',
      hint: null,
    });
    expect(results[1]).toMatchObject({ status: 'failed', hint: expect.stringContaining('Is it green?') });
    expect(evidenceIds).toEqual(['cmt_1']);
  });

  it('requires the quorum of the required conditions with n_of, and never requires the others', () => {
    expect(evaluate({ conditions: three, strictness: 'n_of', quorum: 1 }, discussed).isMet).toBe(true);
    expect(evaluate({ conditions: three, strictness: 'n_of', quorum: 2 }, discussed).isMet).toBe(false);
    const attested = { ...discussed, task: { ...NOTHING.task, ...attestedAs('Attestation', 'Is it green?') } };
    expect(evaluate({ conditions: three, strictness: 'all', quorum: null }, attested).isMet).toBe(true);
  });

  it('is never met if nothing is required; policies from before rejections blocked still ignore them', () => {
    const optional = completeConditions([
      { type: 'comment_required', required: false },
      { type: 'checklist_complete' },
    ]);
    const [first] = optional;
    expect(evaluate({ conditions: [first], strictness: 'all', quorum: null }, discussed).isMet).toBe(false);
    const old = [
      { id: 'x', type: 'peer_review', label: 'x', params: { min_reviewers: 1, exclude_author: true }, required: true },
    ];
    const rejected = { ...NOTHING, approvals: [approval('cat', 'rejected'), approval('bob')] };
    expect(evaluate({ conditions: old, strictness: 'all', quorum: null }, rejected).isMet).toBe(true);
  });

  it.each<[string, Partial<Condition>]>([
    ['an unknown type', { type: 'prayer' }],
    ['a type that is a property of every object', { type: 'constructor' }],
    ['an invalid parameter', { type: 'peer_review', params: { min_reviewers: 0 } }],
    ['parameters that are null', { type: 'comment_required', params: null as never }],
  ])('is never met with %s, required or not', (_, broken) => {
    const condition = { id: 'x', type: 'x', label: 'x', params: {}, required: false, ...broken };
    const { isMet, results } = evaluate({ conditions: [condition], strictness: 'all', quorum: null }, NOTHING);
    expect(isMet).toBe(false);
    expect(results[0]).toMatchObject({ status: 'failed', detail: 'the condition cannot be evaluated' });
  });

  it.each([
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['3d', 259_200],
    ['0h', undefined],
    ['1w', undefined],
    ['1.5h', undefined],
    ['9999d', undefined],
    ['', undefined],
  ])('reads %s as %s seconds', (span, seconds) => {
    expect(secondsOf(span)).toBe(seconds);
  });
});
