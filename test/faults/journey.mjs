import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { asJira, expectationsOf, readBacklog } from './support/backlog.mjs';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { Service } from './support/service.mjs';
import { Journey } from './support/traveler.mjs';

export const title = 'Imports a backlog with its history into an empty service, and works on it there.';

const SMALL = fileURLToPath(new URL('../imports/backlog.jsonl', import.meta.url));
const AGENTS = 20;

/** Ten figures, each counted by one statement; `$1` is the endeavour. */
const STATEMENTS = {
  tasks: 'tasks WHERE endeavour_id = $1',
  done: `tasks WHERE endeavour_id = $1 AND status = 'done' AND dod_result = 'imported' AND completed_at IS NOT NULL`,
  canceled: `tasks WHERE endeavour_id = $1 AND status = 'canceled' AND canceled_reason > '' AND canceled_at IS NOT NULL`,
  planned: `tasks WHERE endeavour_id = $1 AND completed_at IS NULL AND canceled_at IS NULL`,
  comments: 'comments c JOIN tasks t ON t.id = c.entity_id WHERE t.endeavour_id = $1',
  relations: 'relations r JOIN tasks t ON t.id = r.source_entity_id WHERE t.endeavour_id = $1',
  blocked: `tasks t WHERE t.endeavour_id = $1 AND t.status = 'planned' AND EXISTS (
    SELECT 1 FROM relations r JOIN tasks first ON first.id = r.source_entity_id
    WHERE r.target_entity_id = t.id AND r.relationship_type = 'blocks' AND first.status IN ('planned', 'active'))`,
  assigned: `tasks t JOIN resources r ON r.id = t.assignee_id WHERE t.endeavour_id = $1 AND r.type = 'human'`,
  claimed: `tasks t JOIN resources r ON r.id = t.assignee_id WHERE t.endeavour_id = $1 AND r.type = 'agent'`,
  closings: `task_statuses WHERE endeavour_id = $1 AND imported AND status IN ('done', 'canceled')`,
};

/** Runs the whole journey with these issues; returns the expected figures, those of the service and of its database. */
export async function runJourney({ issues, agents = AGENTS, say = () => undefined }) {
  const expected = expectationsOf(issues);
  const service = await Service.start();
  const { token } = await service.signIn();
  const journey = new Journey(service.base, token);
  const timed = async (name, work) => {
    const begun = performance.now();
    await work();
    say(`${name}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  };
  const file = asJira(issues, expected.since);
  await timed('prepare', () => journey.begin(agents));
  await timed('dry run of the import', () => journey.importFile('dryRun', file, '&dry_run=true'));
  await timed('import', () => journey.importFile('first', file));
  await timed('the same import again', () => journey.importFile('again', file));
  await timed('bind to a policy', () => journey.assignPolicy());
  await timed('assign in bulk', () => journey.assignOldTasks(expected.since));
  await timed('claim until nothing is left', () => journey.claim());
  await timed('progress', () => journey.progress(expected.years.map(({ year }) => year)));
  await timed('exports, report and pictures', () => journey.recordExports());
  await timed('export, import, export', () => journey.copyByExport());
  const found = await withDatabase(service.postmaster.connection, async (query) => {
    const counted = {};
    for (const [name, rows] of Object.entries(STATEMENTS)) {
      counted[name] = (await query(`SELECT count(*)::integer AS n FROM ${rows}`, [journey.endeavour]))[0].n;
    }
    return { counted, broken: await brokenInvariants(query) };
  });
  await service.stop();
  return { expected, reported: journey.reported, ...found };
}

/** The name, the actual value and the expected value of each figure. */
export function compareJourney({ expected, reported, counted, broken }) {
  const { tasks, states, ready } = expected;
  const report = (created, unchanged, added) => ({ created, updated: 0, unchanged, ...added });
  const { comments, relations } = expected;
  const both = (own, name, told) => [`${name}, by the service and by SQL`, [told, counted[name]], [own, own]];
  return [
    [
      'what a dry run reports',
      reported.dryRun,
      { counts: report(tasks, 0, { comments }), refused: expected.refused, tasks: 0 },
    ],
    [
      'what the import reports',
      reported.first,
      { counts: report(tasks, 0, { comments, relations }), refused: expected.refused, tasks },
    ],
    [
      'what the same import reports again',
      reported.again,
      { counts: report(0, tasks, { comments: 0, relations: 0 }), refused: expected.refused, tasks },
    ],
    both(tasks, 'tasks', reported.summary.total),
    both(states.done, 'done', reported.summary.done),
    both(states.canceled, 'canceled', reported.summary.canceled),
    both(states.planned, 'planned', reported.summary.planned),
    both(comments, 'comments', reported.comments),
    both(relations, 'relations', reported.first.counts.relations),
    both(expected.blocked, 'blocked', reported.blocked),
    both(expected.assigned, 'assigned', reported.assigned),
    both(ready, 'claimed', reported.claimed),
    both(
      expected.closings,
      'closings',
      reported.years.reduce((sum, { closed }) => sum + closed, 0),
    ),
    ['the policy of the endeavour', reported.policy, 'Peer Reviewed'],
    [
      'ready before the claims, claims, tasks claimed, ready afterwards',
      [reported.ready, reported.claims, reported.claimed, reported.readyAfter],
      [ready, ready, ready, 0],
    ],
    ['figures per year as in the file', reported.years, expected.years],
    ['lines of CSV and NDJSON, and titles that match', Object.values(reported.exports), [tasks, tasks, tasks]],
    ['titles as in the file', reported.titles, expected.titles],
    ['the report and two pictures', reported.pages, [true, true, true]],
    ['of them with a script', reported.scripts, 0],
    ['export, import, export', reported.copy, { refused: 0, different: 0 }],
    ['differences after export and import', reported.differences, []],
    ['broken invariants', broken, []],
  ];
}

export async function run({ file = SMALL, say }) {
  const issues = readBacklog(file);
  const found = await runJourney({ issues, say });
  return [
    { figure: 'issues', reached: issues.length, bar: '-', passed: true },
    ...compareJourney(found).map(([figure, reached, bar]) => ({
      figure,
      reached: shown(reached),
      bar: shown(bar),
      passed: isDeepStrictEqual(reached, bar),
    })),
  ];
}

/** Formats a value; long lists are replaced by their length. */
function shown(value) {
  if (Array.isArray(value) && (value.length > 5 || value.some((each) => typeof each === 'object')))
    return `${value.length} of them`;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'object'
    ? JSON.stringify(value).replaceAll(/[{}"]/g, '').replaceAll(',', ', ')
    : String(value);
}
