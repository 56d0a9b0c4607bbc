import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { asJira, expectationsOf, readBacklog } from './support/backlog.mjs';
import { asking } from './support/database.mjs';
import { sweep } from './support/invariants.mjs';
import { Service } from './support/service.mjs';
import { Traveler } from './support/traveler.mjs';

export const title = 'Brings a backlog with its history into an empty service, and goes on with it there.';

const SMALL = fileURLToPath(new URL('../imports/backlog.jsonl', import.meta.url));
const AGENTS = 20;

/** Ten figures, each by a statement of its own; `$1` is the endeavour. */
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

/** Takes these issues all the way; answers with what was expected, what the service says, and what its database says. */
export async function travel({ issues, agents = AGENTS, say = () => undefined }) {
  const expected = expectationsOf(issues);
  const service = await Service.start();
  const { token } = await service.signIn();
  const traveler = new Traveler(service.base, token);
  const timed = async (name, work) => {
    const begun = performance.now();
    await work();
    say(`${name}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  };
  const file = asJira(issues, expected.since);
  await timed('prepare', () => traveler.begin(agents));
  await timed('dry run of the import', () => traveler.bring('dryRun', file, '&dry_run=true'));
  await timed('import', () => traveler.bring('first', file));
  await timed('the same import again', () => traveler.bring('again', file));
  await timed('bind to a policy', () => traveler.bind());
  await timed('assign in bulk', () => traveler.assign(expected.since));
  await timed('claim until nothing is left', () => traveler.claim());
  await timed('progress', () => traveler.progress(expected.years.map(({ year }) => year)));
  await timed('exports, report and pictures', () => traveler.take());
  await timed('export, import, export', () => traveler.copy());
  const found = await asking(service.postmaster.connection, async (query) => {
    const counted = {};
    for (const [name, rows] of Object.entries(STATEMENTS)) {
      counted[name] = (await query(`SELECT count(*)::integer AS n FROM ${rows}`, [traveler.endeavour]))[0].n;
    }
    return { counted, broken: await sweep(query) };
  });
  await service.stop();
  return { expected, said: traveler.said, ...found };
}

/** What was reached of what was expected, by name. */
export function compared({ expected, said, counted, broken }) {
  const { tasks, states, ready } = expected;
  const report = (created, unchanged, added) => ({ created, updated: 0, unchanged, ...added });
  const { comments, relations } = expected;
  const both = (own, name, told) => [`${name}, by the service and by SQL`, [told, counted[name]], [own, own]];
  return [
    [
      'what a dry run reports',
      said.dryRun,
      { counts: report(tasks, 0, { comments: 0 }), refused: expected.linesRefused, tasks: 0 },
    ],
    [
      'what the import reports',
      said.first,
      { counts: report(tasks, 0, { comments, relations }), refused: expected.refused, tasks },
    ],
    [
      'what the same import reports again',
      said.again,
      { counts: report(0, tasks, { comments: 0, relations: 0 }), refused: expected.refused, tasks },
    ],
    both(tasks, 'tasks', said.summary.total),
    both(states.done, 'done', said.summary.done),
    both(states.canceled, 'canceled', said.summary.canceled),
    both(states.planned, 'planned', said.summary.planned),
    both(comments, 'comments', said.comments),
    both(relations, 'relations', said.first.counts.relations),
    both(expected.blocked, 'blocked', said.blocked),
    both(expected.assigned, 'assigned', said.assigned),
    both(ready, 'claimed', said.claimed),
    both(
      expected.closings,
      'closings',
      said.years.reduce((sum, { closed }) => sum + closed, 0),
    ),
    ['the policy of the endeavour', said.policy, 'Peer Reviewed'],
    [
      'ready before the claims, claims, tasks claimed, ready afterwards',
      [said.ready, said.claims, said.claimed, said.readyAfter],
      [ready, ready, ready, 0],
    ],
    ['years that went as the file says', said.years, expected.years],
    ['lines of CSV and NDJSON, and those that say the same', Object.values(said.exports), [tasks, tasks, tasks]],
    ['titles as in the file', said.titles, expected.titles],
    ['the report and two pictures', said.pages, [true, true, true]],
    ['of them with a script', said.scripts, 0],
    ['export, import, export', said.copy, { refused: 0, different: 0 }],
    ['what is not the same there', said.differences, []],
    ['broken invariants', broken, []],
  ];
}

export async function run({ file = SMALL, say }) {
  const issues = readBacklog(file);
  const found = await travel({ issues, say });
  return [
    { figure: 'issues', reached: issues.length, bar: '-', passed: true },
    ...compared(found).map(([figure, reached, bar]) => ({
      figure,
      reached: shown(reached),
      bar: shown(bar),
      passed: isDeepStrictEqual(reached, bar),
    })),
  ];
}

/** Long lists by their length. */
function shown(value) {
  if (Array.isArray(value) && (value.length > 5 || value.some((each) => typeof each === 'object')))
    return `${value.length} of them`;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'object'
    ? JSON.stringify(value).replaceAll(/[{}"]/g, '').replaceAll(',', ', ')
    : String(value);
}
