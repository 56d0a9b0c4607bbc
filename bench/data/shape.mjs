import { createHash } from 'node:crypto';

/**
 * The structure of the data as formulas: the endeavour of each task, and its members. The database is filled with the
 * same formulas in SQL, so that requests and pgbench scripts can be made without queries.
 */

/** The creation time of the first row of every kind; row `n` was created `n` steps later. */
export const FIRST_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 20_000;

/** The number of members of each endeavour: an owner, an admin, a viewer and, from FIRST_MEMBER_SEAT on, members. */
export const SEATS = 10;
const FIRST_MEMBER_SEAT = 3;

/** The number of endeavours that requests use; with equally many tasks in every size, so that requests are comparable. */
export const FOCUS = 100;
/** The number of those that are listed; the others receive new tasks, so that the lists do not change. */
export const LISTED = 90;

/** Users in twenty endeavours each, who list without filtering by endeavour. */
export const WIDE_USERS = 16;
export const WIDE_ENDEAVOURS = 20;

/**
 * The numbers of rows. Task `n` belongs to demand `n` modulo the number of demands, which is chosen so that both are in
 * the same endeavour.
 */
export const SIZES = {
  /** Shows that everything works; too small for measurements. */
  tiny: sized('tiny', { tasks: 2_000, endeavours: 100, demands: 200 }),
  small: sized('small', { tasks: 100_000, endeavours: 100, demands: 10_000 }),
  large: sized('large', { tasks: 1_000_000, endeavours: 10_000, demands: 110_000 }),
};

function sized(name, { tasks, endeavours, demands }) {
  return { name, tasks, endeavours, demands, users: (endeavours * SEATS) / 4, organizations: endeavours / 10 };
}

/** The nth id of a kind, in the format of a UUIDv7, so that ids sort by creation. */
export function idOf(prefix, n) {
  const ms = (FIRST_MS + n * STEP_MS).toString(16).padStart(12, '0');
  const tail = createHash('md5').update(`${prefix}${n}`).digest('hex');
  return `${prefix}_${ms}7${tail.slice(0, 3)}8${tail.slice(3, 18)}`;
}

/** In the large size every tenth task is in one of the endeavours that requests use. */
export function endeavourOfTask({ endeavours }, n) {
  if (endeavours === FOCUS) return n % FOCUS;
  return n % 10 === 0 ? (n / 10) % FOCUS : FOCUS + ((n - Math.floor(n / 10) - 1) % (endeavours - FOCUS));
}

/** The nth member with the role `member` of an endeavour. */
export function memberOf({ users }, endeavour, n) {
  return (endeavour * SEATS + FIRST_MEMBER_SEAT + (n % (SEATS - FIRST_MEMBER_SEAT))) % users;
}

export const wideUser = ({ users }, n) => users + (n % WIDE_USERS);
export const administrator = ({ users }) => users + WIDE_USERS;

/** The same formulas as SQL functions in the schema `bench`; `place_of` numbers the tasks of an endeavour. */
export function shapeSql({ endeavours, users }) {
  const others = endeavours - FOCUS;
  const [endeavourOf, placeOf] =
    others === 0
      ? [`task % ${FOCUS}`, `task / ${FOCUS}`]
      : [
          `CASE WHEN task % 10 = 0 THEN task / 10 % ${FOCUS} ELSE ${FOCUS} + (task - task / 10 - 1) % ${others} END`,
          `CASE WHEN task % 10 = 0 THEN task / 10 / ${FOCUS} ELSE (task - task / 10 - 1) / ${others} END`,
        ];
  const member = `(endeavour * ${SEATS} + ${FIRST_MEMBER_SEAT} + n % ${SEATS - FIRST_MEMBER_SEAT}) % ${users}`;
  const id = `prefix || '_' || lpad(to_hex(${FIRST_MS} + n * ${STEP_MS}), 12, '0') || '7'
    || left(md5(prefix || n), 3) || '8' || substr(md5(prefix || n), 4, 15)`;
  return [
    'CREATE SCHEMA bench',
    formula('at(n bigint)', 'timestamptz', `to_timestamp(${FIRST_MS / 1000} + n * ${STEP_MS / 1000})`),
    formula('id(prefix text, n bigint)', 'text', id),
    formula('endeavour_of(task bigint)', 'bigint', endeavourOf),
    formula('place_of(task bigint)', 'bigint', placeOf),
    formula('member_of(endeavour bigint, n bigint)', 'bigint', member),
    // Endeavours with labels, stages, iterations and declared fields: one of those that requests use, and a third of the others.
    formula('plans(endeavour bigint)', 'boolean', `endeavour = 0 OR (endeavour >= ${FOCUS} AND endeavour % 3 = 0)`),
  ];
}

const formula = (signature, type, sql) =>
  `CREATE FUNCTION bench.${signature} RETURNS ${type} LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ${sql} $$`;
