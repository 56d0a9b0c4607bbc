import type { Approval, Report } from './facts.js';
import { attestedKey } from './model.js';
import type { Sequence, Weighted } from './sequence.js';
import { and, type Truth } from './truth.js';
import { isFresh } from './verdict.js';

const SUMMARY = { id: '', type: 'field_populated', params: { field: 'result_summary' } };

async function approve(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const role = random.pick([null, null, 'qa', 'owner', 'member']);
  const verdict = random.pick(['approved', 'approved', 'approved', 'rejected', 'needs_work']);
  const roleHeld = role !== null && model.people.holds(who, role, model.place);
  const before = model.approvals.findLast((each) => each.by === who && each.role === role);
  const isRepeated = isAlreadyGiven(sequence, before, verdict, roleHeld);
  const sent = { entity_type: 'task', entity_id: sequence.task, verdict, ...(role !== null && { role }) };
  const { status, body } = await sequence.send(who, 'post', '/approvals', sent);
  const expected = { true: [409], false: [201], undefined: [201, 409] }[`${isRepeated}`];
  if (!expected?.includes(status)) return sequence.differ('a verdict', String(expected), body);
  if (status !== 201) return;
  const last = model.approvals.findLast((each) => each.by === who);
  const isAgain = last !== undefined && !last.isDismissed && !last.isLifted && last.verdict !== 'approved';
  const said: Approval = {
    id: body.data.id,
    by: who,
    verdict,
    role,
    at: model.now,
    round: model.round,
    roleHeld,
    person: model.people.personOf(who),
    place: model.place,
    held: model.people.rolesOf(who, model.place),
    kept: isAgain && verdict !== 'approved' ? last.kept : [],
    wasAuthor: {
      atTheTime: model.isAuthor(who, model.policy),
      plain: model.isAuthor(who, undefined),
      withSummary: model.isAuthor(who, { id: '', conditions: [SUMMARY] }),
    },
    isDismissed: false,
    hasEnded: false,
    isLifted: false,
  };
  if (isAgain && last.verdict === verdict) repeat(said, last);
  model.approvals.push(said);
}

/** A rejection that is given again counts as the one before it, also if its giver has become an author meanwhile. */
function repeat({ wasAuthor }: Approval, last: Approval): void {
  for (const key of ['atTheTime', 'plain', 'withSummary'] as const) {
    wasAuthor[key] = and(wasAuthor[key], last.wasAuthor[key]);
  }
}

/** Whether a verdict repeats the current one on the same content in the same round. */
function isAlreadyGiven({ model }: Sequence, before: Approval | undefined, verdict: string, roleHeld: boolean): Truth {
  if (before?.verdict !== verdict || before.round !== model.round || before.roleHeld !== roleHeld) return false;
  const isSame = isFresh(model, model.policy, before.at);
  // A verdict that was dismissed, or ended with a membership, can be given again.
  if (before.isDismissed || (before.hasEnded && verdict !== 'approved')) return false;
  return before.hasEnded || before.place !== model.place ? and(isSame, undefined) : isSame;
}

async function dismissRejection(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const rejections = model.approvals.filter(
    (each) => each.verdict === 'rejected' && model.approvals.findLast(({ by }) => by === each.by) === each,
  );
  const rejection = random.pick([...rejections, undefined]);
  const admins = sequence.activeMembers().filter((who) => model.rankOf(who) >= 3);
  if (rejection === undefined || admins.length === 0) return;
  const who = random.pick(admins);
  const isAuthor = model.isAuthor(who, model.policy);
  const path = `/approvals/${rejection.id}/dismiss`;
  const { status, body } = await sequence.send(who, 'post', path, { reason: 'Of another task' });
  if (isAuthor === true && status === 200) return sequence.differ('a dismissal by an author', 'refused', body);
  if (isAuthor === false && status !== 200 && !rejection.isDismissed) {
    return sequence.differ('a dismissal', '200', body);
  }
  if (status === 200) rejection.isDismissed = true;
}

async function attest(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const asked = (model.policy?.conditions ?? []).filter(({ type }) => type === 'manual_attestation');
  const isNamed = random.chance(0.3);
  const { status, body } = await sequence.send(who, 'patch', `/tasks/${sequence.task}`, {
    metadata: { dod_attested: isNamed ? ['manual_attestation'] : true },
  });
  if (isNamed && asked.length === 0) {
    if (status !== 409) sequence.differ('an attestation of a condition that is not in force', '409', body);
    return;
  }
  if (status !== 200) return;
  const isNew = sequence.isNew(body.data.revision);
  if (!isNew && asked.length > 0) return sequence.differ('an attestation', 'never a no-op', body);
  model.recordWriting(who);
  const { now, round } = model;
  const conditions = new Set(asked.map(attestedKey));
  model.attestations.push({ conditions, at: now, round, hasLapsed: false });
}

async function toggleOverride(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(['ann', 'dia']);
  if (model.rankOf(who) < 3 || !model.isActiveMember(who)) return;
  const isSet = random.chance(0.7);
  const path = `/tasks/${sequence.task}/dod-override`;
  const response = isSet
    ? await sequence.send(who, 'post', path, { reason: sequence.newText() })
    : await sequence.send(who, 'delete', path);
  if (response.status !== 200) return;
  model.override = isSet ? { policy: model.policy?.id, at: model.now } : undefined;
  await sequence.findRevision();
}

async function comment(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  // A comment that shows nothing is the creator's, for whom it makes no difference whether it is writing.
  const isVisible = random.chance(0.6);
  const who = isVisible ? random.pick(sequence.activeMembers()) : model.creators[0];
  if (!model.isActiveMember(who)) return;
  const content = isVisible ? sequence.newText() : random.pick(['\u200b', '<!-- done -->']);
  const sent = { entity_type: 'task', entity_id: sequence.task, content };
  if ((await sequence.send(who, 'post', '/comments', sent)).status !== 201 || !isVisible) return;
  model.comments += 1;
  model.recordWriting(who);
}

async function postResult(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const passed = random.chance(0.7);
  const sent = { name: 'scan', passed };
  const { status } = await sequence.send(who, 'post', `/tasks/${sequence.task}/dod-results`, sent);
  if (status !== 201) return;
  model.results.push({ passed, round: model.round, roles: model.people.rolesOf(who, model.place) });
  model.recordWriting(who);
}

/** Posts a report, of the task or only of one of the endeavours. */
async function postReport(sequence: Sequence): Promise<void> {
  const { model, random, task, places } = sequence;
  const hasTaskId = random.chance(0.6);
  const place = hasTaskId || random.chance(0.5) ? model.place : random.pick(['garden', 'shed'] as const);
  const members = sequence.activeMembers().filter((who) => model.people.isActiveMember(who, place));
  const passed = random.chance(0.6);
  const sent = {
    kind: 'test-report',
    title: 'Run',
    tags: ['test-report'],
    metadata: { result: passed ? 'passed' : 'failed' },
    ...(hasTaskId ? { task_id: task } : { endeavour_id: places[place] }),
  };
  const who = random.pick(members);
  // Whether a report is writing to the task is open; nobody posts one while the task is assigned to them.
  if (hasTaskId && model.assignments.some((each) => each.until === Infinity)) return;
  const { status, body } = await sequence.send(who, 'post', '/artifacts', sent);
  if (status !== 201) return;
  const { round } = model;
  model.reports.push({ id: body.data.id, passed, round, place, isLiving: true, hasTaskId, ties: [] });
}

async function changeReport(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const report = random.pick([...model.reports.filter(({ isLiving }) => isLiving), undefined]);
  if (report === undefined) return;
  const who = random.pick(sequence.activeMembers());
  const path = `/artifacts/${report.id}`;
  const kind = random.next();
  if (kind < 0.2) {
    if ((await sequence.send(who, 'delete', path)).status === 200) report.isLiving = false;
  } else if (kind < 0.3) {
    if ((await sequence.send(who, 'patch', path, { status: 'archived' })).status === 200) report.isLiving = false;
  } else if (kind < 0.4) await tamper(sequence, report);
  else await tieReport(sequence, report);
}

async function tamper(sequence: Sequence, report: Report): Promise<void> {
  const { random, model, places } = sequence;
  const changed: object[] = [{ tags: [] }, { metadata: { result: report.passed ? 'failed' : 'passed' } }];
  if (report.hasTaskId) changed.push({ task_id: null }, { metadata: null });
  changed.push({ endeavour_id: places[report.place === 'garden' ? 'shed' : 'garden'] });
  const sent = random.pick(changed);
  const { status, body } = await sequence.send('ann', 'patch', `/artifacts/${report.id}`, sent);
  if (status < 400) sequence.differ(`the change of a report of ${model.place}`, '409', body);
}

async function tieReport(sequence: Sequence, report: Report): Promise<void> {
  const { model, random, task } = sequence;
  const tie = random.pick([...report.ties.filter(({ isAlive }) => isAlive), undefined]);
  const who = random.pick(sequence.activeMembers());
  if (tie !== undefined) {
    if ((await sequence.send(who, 'delete', `/relations/${tie.relation}`)).status === 200) tie.isAlive = false;
    return;
  }
  // Whether a tie is writing to the task is open, as of a report.
  if (model.assignments.some((each) => each.until === Infinity)) return;
  const ends: [string, string][] = [
    ['task', task],
    ['artifact', report.id],
  ];
  const [source, target] = random.chance(0.5) ? ends : ends.toReversed();
  const isByMember = model.isActiveMember(who);
  const relation = await sequence.relate(who, random.pick(['references', 'uses']), source, target);
  if (relation !== undefined) report.ties.push({ relation, place: model.place, isAlive: true, isByMember });
}

export const EVIDENCE: Weighted[] = [
  [9, 'approve', approve],
  [2, 'dismissRejection', dismissRejection],
  [2, 'attest', attest],
  [2, 'toggleOverride', toggleOverride],
  [2, 'comment', comment],
  [2, 'postResult', postResult],
  [3, 'postReport', postReport],
  [2, 'changeReport', changeReport],
];
