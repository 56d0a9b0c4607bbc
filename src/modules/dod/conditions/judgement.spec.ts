import type { ApprovalFact, Condition, TaskFacts } from './condition.js';
import { judge } from './judgement.js';
import { secondsOf } from './params.js';
import { CONDITION_TYPES } from './types.js';
import { completeConditions } from './sent.js';

const NOTHING: TaskFacts = {
  task: { id: 'tsk_1', metadata: {}, attested_at: null, assignee_id: null },
  authors: [],
  approvals: [],
  comments: [],
  artifacts: [],
  secondsIn: {},
  results: [],
};

const approval = (approver_id: string, verdict = 'approved', role: string | null = null): ApprovalFact => ({
  id: `${approver_id} ${verdict}`,
  approver_id,
  verdict,
  role,
});
const withTask = (task: object): Partial<TaskFacts> => ({ task: { ...NOTHING.task, ...task } });
const artifact = (id: string, result: unknown, tags = ['test-report']) => ({ id, tags, result });
const result = (name: string, passed: boolean) => ({ id: `${name} ${passed}`, name, passed, detail: null });

const passes = (type: string, params: object, facts: Partial<TaskFacts>): boolean => {
  const conditions = completeConditions([{ type, params: { ...params } }]);
  return judge({ conditions, strictness: 'all', quorum: null }, { ...NOTHING, ...facts }).isMet;
};

type Case = [says: string, type: string, params: object, facts: Partial<TaskFacts>, isMet: boolean];

const CASES: Case[] = [
  ['nobody reviewed it', 'peer_review', {}, {}, false],
  ['somebody did', 'peer_review', {}, { approvals: [approval('bob')] }, true],
  ['its author did', 'peer_review', {}, { approvals: [approval('ann')], authors: ['ann'] }, false],
  [
    'its author did, which will do here',
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
  ['one said it needs work', 'peer_review', {}, { approvals: [approval('bob', 'needs_work')] }, false],

  ['there is no comment', 'comment_required', {}, {}, false],
  ['there is one of two', 'comment_required', { min_comments: 2 }, { comments: ['c1'] }, false],
  ['there are two', 'comment_required', { min_comments: 2 }, { comments: ['c1', 'c2'] }, true],

  ['nobody signed it off', 'stakeholder_sign_off', { role: 'owner' }, { approvals: [approval('bob')] }, false],
  [
    'somebody did, as something else',
    'stakeholder_sign_off',
    { role: 'owner' },
    { approvals: [approval('bob', 'approved', 'member')] },
    false,
  ],
  [
    'somebody refused',
    'stakeholder_sign_off',
    { role: 'owner' },
    { approvals: [approval('bob', 'rejected', 'owner')] },
    false,
  ],
  [
    'somebody did',
    'stakeholder_sign_off',
    { role: 'owner' },
    { approvals: [approval('bob', 'approved', 'owner')] },
    true,
  ],

  ['the field is empty', 'field_populated', { field: 'description' }, withTask({ description: null }), false],
  ['the field is blank', 'field_populated', { field: 'description' }, withTask({ description: ' \n' }), false],
  ['the field has text', 'field_populated', { field: 'description' }, withTask({ description: 'Green' }), true],
  ['the field is 0, which is something', 'field_populated', { field: 'actual' }, withTask({ actual: 0 }), true],
  ['nobody is named', 'field_populated', { field: 'assignee_name' }, withTask({}), false],
  ['somebody is named', 'field_populated', { field: 'assignee_name' }, withTask({ assignee_id: 'res_1' }), true],
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

  ['nobody attested it', 'manual_attestation', {}, {}, false],
  ['only the metadata says so', 'manual_attestation', {}, withTask({ metadata: { dod_attested: true } }), false],
  ['somebody did', 'manual_attestation', {}, withTask({ attested_at: new Date(), attested_by: 'res_1' }), true],

  ['there is no checklist', 'checklist_complete', {}, {}, false],
  ['it is empty', 'checklist_complete', {}, withTask({ metadata: { checklist: [] } }), false],
  ['it is no list', 'checklist_complete', {}, withTask({ metadata: { checklist: { checked: true } } }), false],
  [
    'one item is open',
    'checklist_complete',
    {},
    withTask({ metadata: { checklist: [{ checked: true }, { text: 'Oil the hinges' }] } }),
    false,
  ],
  ['checked means true', 'checklist_complete', {}, withTask({ metadata: { checklist: [{ checked: 'yes' }] } }), false],
  ['every item is', 'checklist_complete', {}, withTask({ metadata: { checklist: [{ checked: true }] } }), true],

  ['there is no report', 'tests_pass', {}, {}, false],
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
];

describe('judging a task', () => {
  it.each(CASES)('%s: %s %j', (_, type, params, facts, isMet) => {
    expect(passes(type, params, facts)).toBe(isMet);
  });

  it('has cases of every type, both ways', () => {
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

  it('says of each condition what was found and what to do, and names what was counted', () => {
    const { isMet, results, restsOn } = judge({ conditions: three, strictness: 'all', quorum: null }, discussed);
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
    expect(restsOn).toEqual(['cmt_1']);
  });

  it('asks with n_of for so many of the required ones, and never for the others', () => {
    expect(judge({ conditions: three, strictness: 'n_of', quorum: 1 }, discussed).isMet).toBe(true);
    expect(judge({ conditions: three, strictness: 'n_of', quorum: 2 }, discussed).isMet).toBe(false);
    const attested = { ...discussed, task: { ...NOTHING.task, attested_at: new Date(), attested_by: 'res_1' } };
    expect(judge({ conditions: three, strictness: 'all', quorum: null }, attested).isMet).toBe(true);
  });

  it.each<[string, Partial<Condition>]>([
    ['a type that is unknown', { type: 'prayer' }],
    ['a type that is a property of every object', { type: 'constructor' }],
    ['a parameter that is not what it takes', { type: 'peer_review', params: { min_reviewers: 0 } }],
    ['parameters that are none', { type: 'comment_required', params: null as never }],
  ])('is never met with %s, required or not', (_, broken) => {
    const condition = { id: 'x', type: 'x', label: 'x', params: {}, required: false, ...broken };
    const { isMet, results } = judge({ conditions: [condition], strictness: 'all', quorum: null }, NOTHING);
    expect(isMet).toBe(false);
    expect(results[0]).toMatchObject({ status: 'failed', detail: 'this condition cannot be judged' });
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
