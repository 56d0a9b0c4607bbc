/** Settings of PostgreSQL by name, with values in the form in which `SHOW` prints them. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What the statements of the service rely on, whatever the defaults of the server, the database and the role are:
 *
 * - timeouts of statements, of locks and of idle transactions; none of a whole transaction or of an idle connection
 * - generic plans, because planning a statement for each value takes several times as long as executing most of them
 * - no compilation (`jit`): it takes seconds for statements whose estimated costs are high, and saves milliseconds
 * - the warnings of the server, one of which says that a commit is not on the synchronous standby
 * - the formats of values, the isolation of transactions and the schema of the tables
 *
 * Settings that this version of the server does not have are left out.
 */
export const SESSION_SETTINGS: SessionSettings = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  client_min_messages: 'notice',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  search_path: '"$user", public',
};

/** The parameters of the statements below. */
export const parametersOf = (settings: SessionSettings): [names: string[], values: string[]] => [
  Object.keys(settings),
  Object.values(settings),
];

const WANTED = 'unnest($1::text[], $2::text[]) AS wanted (name, value)';

/** SQL: the settings that differ on this connection, with both values. */
export const DIFFERING = `SELECT wanted.name, wanted.value AS wanted, current_setting(wanted.name, true) AS found
  FROM ${WANTED} WHERE current_setting(wanted.name, true) <> wanted.value`;

/** SQL: corrects the settings that differ on this connection, for example behind a pooler whose connections are older. */
export const CORRECT = `SELECT count(set_config(wanted.name, wanted.value, false))
  FROM ${WANTED} WHERE current_setting(wanted.name, true) <> wanted.value`;
