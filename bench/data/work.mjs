import { FIELDS_OF_WORK, LABELS_OF_WORK } from './planning.mjs';

/** Factors that spread row numbers over the texts; they differ so that titles and descriptions form no fixed pairs. */
const TITLE = 31;
const DESCRIPTION = 7_919;

const textsOf = (n, texts) => `
  JOIN bench.texts a ON a.nr = ${n} * ${TITLE} % ${texts}
  JOIN bench.texts b ON b.nr = ${n} * ${DESCRIPTION} % ${texts}`;

const HAS_TASKS = `hashint8(m) % 2 = 0 AND m % 50 <> 7`;

/** Demands; half of them are in progress, and only those have tasks. */
export function demandsSql({ demands }, texts) {
  return [
    `INSERT INTO demands (id, created_at, updated_at, type, title, description, status, priority, endeavour_id,
       creator_id, owner_id, due_date, fulfilled_at, canceled_at, canceled_reason, number, labels, iteration_id, metadata, words)
     SELECT bench.id('dmd', m), bench.at(m), bench.at(m), (ARRAY['story', 'bug', 'spike', 'chore', 'feature'])[1 + m % 5],
       a.title, b.description, status, (ARRAY['low', 'medium', 'high', 'urgent'])[1 + m / 5 % 4], bench.id('edv', e),
       bench.id('res', who), bench.id('res', who), CASE WHEN m % 3 = 0 THEN bench.at(m) + interval '60 days' END,
       CASE status WHEN 'fulfilled' THEN bench.at(m) + interval '9 days' END,
       CASE status WHEN 'canceled' THEN bench.at(m) + interval '3 days' END,
       CASE status WHEN 'canceled' THEN 'No longer wanted' END,
       2 * bench.place_of(m) + 2, ${LABELS_OF_WORK}, CASE WHEN bench.plans(e) AND m % 4 = 0 THEN bench.id('itr', e) END,
       jsonb_build_object('key', m, 'labels', jsonb_build_array('area-' || m % 20)) || ${FIELDS_OF_WORK},
       a.title_words || b.description_words
     FROM generate_series(0::bigint, ${demands - 1}) m ${textsOf('m', texts)},
       LATERAL (SELECT bench.endeavour_of(m) AS e, m AS n) place, LATERAL (SELECT bench.member_of(e, m / 7) AS who) creator,
       LATERAL (SELECT CASE WHEN m % 50 = 7 THEN 'canceled' WHEN ${HAS_TASKS} THEN 'in_progress'
         WHEN hashint8(m) % 4 = 1 THEN 'fulfilled' ELSE 'open' END AS status) state
     ORDER BY m`,
    `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'demand', endeavour_id, title FROM demands`,
  ];
}

/** Tasks with their status history; a quarter of the tasks of every endeavour is in each status. */
export function tasksSql({ tasks, demands }, texts) {
  return [
    `INSERT INTO tasks (id, created_at, updated_at, title, description, status, endeavour_id, demand_id, assignee_id,
       owner_id, creator_id, estimate, actual, due_date, started_at, completed_at, canceled_at, canceled_reason,
       number, labels, iteration_id, metadata, words)
     SELECT bench.id('tsk', n), bench.at(n), bench.at(n) + made * interval '1 hour', a.title, b.description, status,
       bench.id('edv', e), CASE WHEN ${HAS_TASKS} THEN bench.id('dmd', m) END,
       CASE WHEN place % 3 > 0 THEN bench.id('res', bench.member_of(e, place + 1)) END,
       bench.id('res', creator), bench.id('res', creator), 1 + n % 40, CASE status WHEN 'done' THEN 2 + n % 60 END,
       CASE WHEN n % 2 = 0 THEN bench.at(n) + interval '30 days' END,
       CASE WHEN status IN ('active', 'done') THEN bench.at(n) + interval '1 hour' END,
       CASE status WHEN 'done' THEN bench.at(n) + interval '2 hours' END,
       CASE status WHEN 'canceled' THEN bench.at(n) + interval '3 hours' END,
       CASE status WHEN 'canceled' THEN 'Overtaken by events' END,
       2 * place + 1, ${LABELS_OF_WORK}, CASE WHEN bench.plans(e) AND place % 4 = 0 THEN bench.id('itr', e) END,
       jsonb_build_object('key', n, 'labels', jsonb_build_array('area-' || n % 20)) || ${FIELDS_OF_WORK},
       a.title_words || b.description_words
     FROM generate_series(0::bigint, ${tasks - 1}) n ${textsOf('n', texts)},
       LATERAL (SELECT bench.endeavour_of(n) AS e, bench.place_of(n) AS place, n % ${demands} AS m) at,
       LATERAL (SELECT bench.member_of(e, place) AS creator, place % 4 AS made,
         (ARRAY['planned', 'active', 'done', 'canceled'])[1 + place % 4] AS status) state
     ORDER BY n`,
    `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', endeavour_id, title FROM tasks`,
    `INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, left_at, started_at, hours)
     SELECT id, endeavour_id, previous, step, entered, left_at, CASE step WHEN 'done' THEN started_at END,
       CASE WHEN step IN ('done', 'canceled') THEN coalesce(actual, 0) END
     FROM tasks, LATERAL (VALUES
       (NULL, 'planned', created_at, coalesce(started_at, canceled_at)),
       ('planned', 'active', started_at, completed_at), ('active', 'done', completed_at, NULL),
       ('planned', 'canceled', canceled_at, NULL)
     ) AS steps (previous, step, entered, left_at) WHERE entered IS NOT NULL`,
  ];
}
