import { createHash } from 'node:crypto';

/**
 * What the data looks like, as arithmetic: which task is in which endeavour, who is a member there. The database is
 * filled by the same formulas in SQL, so that a request, or a line of pgbench, can be made without looking anything up.
 */

/** When the first row of every kind was created; a row with a number was created so many steps later. */
export const FIRST_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 20_000;

/** Members of each endeavour, by place: an owner, an admin, a viewer, and members. */
export const SEATS = 10;
const FIRST_MEMBER_SEAT = 3;

/** The endeavours that are asked about: as many, and as full, in every size, so that the same request does the same. */
export const FOCUS = 100;
/** The last of them take what is created, so that the lists of the others stay as they are. */
export const LISTED = 90;

/** Members of twenty endeavours each, who list without naming one. */
export const WIDE_USERS = 16;
export const WIDE_ENDEAVOURS = 20;

/**
 * How many there are of everything. A task lies where the demand of its number lies, counted round, which the numbers of
 * demands are chosen for.
 */
export const SIZES = {
  /** To see that everything works; too small to be measured. */
  tiny: sized('tiny', { tasks: 2_000, endeavours: 100, demands: 200 }),
  small: sized('small', { tasks: 100_000, endeavours: 100, demands: 10_000 }),
  large: sized('large', { tasks: 1_000_000, endeavours: 10_000, demands: 110_000 }),
};

function sized(name, { tasks, endeavours, demands }) {
  return { name, tasks, endeavours, demands, users: (endeavours * SEATS) / 4, organizations: endeavours / 10 };
}

/** The nth id of that kind; in its form a UUIDv7, so that ids sort by creation. */
export function idOf(prefix, n) {
  const ms = (FIRST_MS + n * STEP_MS).toString(16).padStart(12, '0');
  const tail = createHash('md5').update(`${prefix}${n}`).digest('hex');
  return `${prefix}_${ms}7${tail.slice(0, 3)}8${tail.slice(3, 18)}`;
}

/** In the large size every tenth task is in an endeavour that is asked about. */
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

/** The same formulas in SQL, in a schema of their own; `place_of` counts the tasks of an endeavour. */
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
  ];
}

const formula = (signature, type, sql) =>
  `CREATE FUNCTION bench.${signature} RETURNS ${type} LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ${sql} $$`;
