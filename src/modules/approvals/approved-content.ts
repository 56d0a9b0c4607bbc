/** What can be approved. */
export const APPROVED_KINDS = ['task', 'demand', 'endeavour', 'artifact', 'ritual', 'dod_policy'] as const;
export type ApprovedKind = (typeof APPROVED_KINDS)[number];

interface Content {
  table: string;
  /** SQL over the row `own`: all that somebody who approves it approves. Not how it fares, nor who does it. */
  parts: readonly string[];
}

const GOAL_TITLES = `(SELECT jsonb_agg(goal -> 'title') FROM jsonb_array_elements(own.goals) goal)`;

const CONTENT: Record<ApprovedKind, Content> = {
  task: { table: 'tasks', parts: ['own.title', 'own.description', 'own.due_date', 'own.estimate'] },
  demand: { table: 'demands', parts: ['own.title', 'own.description', 'own.due_date', 'own.priority'] },
  endeavour: {
    table: 'endeavours',
    parts: ['own.name', 'own.description', GOAL_TITLES, 'own.start_date', 'own.end_date'],
  },
  artifact: { table: 'artifacts', parts: ['own.kind', 'own.title', 'own.url', 'own.summary'] },
  ritual: { table: 'rituals', parts: ['own.name', 'own.description', 'own.prompt', 'own.schedule'] },
  dod_policy: {
    table: 'dod_policies',
    parts: ['own.name', 'own.description', 'own.conditions', 'own.strictness', 'own.quorum'],
  },
};

/** SQL for what stands for the content of the row `own`: the same text as long as it says the same. */
export const hashOf = (kind: ApprovedKind): string =>
  `encode(sha256(convert_to(jsonb_build_array(${CONTENT[kind].parts.join(', ')})::text, 'UTF8')), 'hex')`;

/** SQL for one row of the thing with that id: its `revision`, and its `hash`, which is the same as long as its content is. */
export function contentOf(kind: ApprovedKind, id: string): string {
  return `SELECT own.revision, ${hashOf(kind)} AS hash FROM ${CONTENT[kind].table} own WHERE own.id = ${id}`;
}

/** SQL: whether what the approval `a` was given to has changed since. Stale ones count for nothing (spec 06, 08). */
export function isStale(a: string): string {
  const hashes = APPROVED_KINDS.map(
    (kind) => `WHEN '${kind}' THEN (SELECT now.hash FROM (${contentOf(kind, `${a}.entity_id`)}) now)`,
  );
  return `(${a}.content_hash IS DISTINCT FROM CASE ${a}.entity_type ${hashes.join(' ')} END)`;
}
