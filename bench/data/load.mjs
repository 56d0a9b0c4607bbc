import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { approvalView } from '../../dist/modules/approvals/approval.view.js';
import { artifactView } from '../../dist/modules/artifacts/artifact.view.js';
import { commentView } from '../../dist/modules/comments/comment.view.js';
import { demandView } from '../../dist/modules/demands/demand.view.js';
import { endorsementView } from '../../dist/modules/dod/endorsements/endorsement.view.js';
import { policyView } from '../../dist/modules/dod/policies/policy.view.js';
import { relationView } from '../../dist/modules/relations/relation.view.js';
import { resourceView } from '../../dist/modules/resources/resource.view.js';
import { ritualView } from '../../dist/modules/rituals/ritual.view.js';
import { taskView } from '../../dist/modules/tasks/task.view.js';
import { templateView } from '../../dist/modules/templates/template.view.js';
import { migrate } from '../../dist/platform/database/schema/migrations.js';
import { SCHEMA } from '../../dist/schema.js';
import { endeavourRowsSql, organizationRowsSql, taskRowsSql } from './around.mjs';
import { loadInBulk } from './bulk.mjs';
import { eventsSql } from './events.mjs';
import { peopleSql } from './people.mjs';
import { plannedEndeavoursSql, plannedWorkSql } from './planning.mjs';
import { shapeSql } from './shape.mjs';
import { demandsSql, tasksSql } from './work.mjs';

/** The other views with events, and the columns of their creators. */
const OTHERS = [
  [commentView, 'author_id'],
  [artifactView, 'created_by'],
  [relationView, 'created_by'],
  [approvalView, 'approver_id'],
  [ritualView, 'created_by'],
  [templateView, 'created_by'],
  [policyView, 'created_by'],
  [endorsementView, 'resource_id'],
  [resourceView, 'created_by'],
];

/** Fills a database with data of that size, unless the same programs have already filled it, and returns its name. */
export async function ensureLoaded(server, size, { source, texts }, say) {
  const database = `bench_${size.name}`;
  const admin = await connect({ ...server, database: 'postgres' });
  try {
    const stamp = stampOf(size, source);
    if ((await stampIn(admin, database)) === stamp) return database;
    const begun = Date.now();
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${database}`);
    await fill({ ...server, database }, size, texts, say);
    await admin.query(`COMMENT ON DATABASE ${database} IS '${stamp}'`);
    say(`${database}: loaded in ${((Date.now() - begun) / 1000).toFixed(0)} s (text: ${source})`);
    return database;
  } finally {
    await admin.end();
  }
}

/** A hash that changes with the loaded data and with the schema. */
function stampOf(size, source) {
  const here = new URL('.', import.meta.url);
  const hash = createHash('sha256').update(JSON.stringify([size, source]));
  for (const name of readdirSync(here).sort()) hash.update(readFileSync(new URL(name, here)));
  for (const { name } of SCHEMA.migrations) hash.update(name);
  return hash.digest('hex');
}

async function stampIn(admin, database) {
  const { rows } = await admin.query(
    `SELECT shobj_description(oid, 'pg_database') AS stamp FROM pg_database WHERE datname = $1`,
    [database],
  );
  return rows[0]?.stamp;
}

async function fill(connection, size, texts, say) {
  await migrate(connection, SCHEMA);
  const client = await connect(connection);
  const run = async (what, statements) => {
    const begun = Date.now();
    for (const statement of statements) await client.query(statement);
    await client.query('ANALYZE');
    say(`  ${what}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  };
  try {
    const load = async () => {
      for (const statement of shapeSql(size)) await client.query(statement);
      await fillTexts(client, texts);
      await run('people', peopleSql(size));
      await run('planned endeavours', plannedEndeavoursSql(size));
      await run('demands', demandsSql(size, texts.length));
      // Before the tasks: a new demand has none, and counting them would need an index.
      await run('events of demands', [eventsSql(demandView, 'd.creator_id')]);
      await run('tasks', tasksSql(size, texts.length));
      await run('events of tasks', [eventsSql(taskView, 't.creator_id')]);
      await run('planned work', plannedWorkSql(size));
      await run('rows of tasks', taskRowsSql(size, texts.length));
      await run('rituals and endorsements', endeavourRowsSql(size));
      await run('rows of organizations and users', organizationRowsSql(size, texts.length));
    };
    const others = OTHERS.map(([view, creator]) => eventsSql(view, `${view.alias}.${creator}`));
    await loadInBulk(client, load, () => run('other events', others));
    await follow(client, say);
  } finally {
    await client.end();
  }
}

/** Adds all events to the feed, and marks them as read by notifications and webhooks. The service has no backlog then. */
async function follow(client, say) {
  const begun = Date.now();
  await client.query('SET statement_timeout = 0');
  for (let isBehind = true; isBehind;) {
    const { rows } = await client.query('SELECT has_backlog FROM number_events()');
    isBehind = rows[0].has_backlog;
  }
  for (const reader of ['notification_feed', 'webhook_feed'])
    await client.query(`UPDATE ${reader} SET position = head FROM feed_state`);
  await client.query('VACUUM ANALYZE');
  say(`  feed: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

/** Computes the search words of each text once, instead of for each row as the triggers would. */
async function fillTexts(client, texts) {
  await client.query(
    `CREATE TABLE bench.texts (nr bigint PRIMARY KEY, title text, description text, title_words tsvector, description_words tsvector)`,
  );
  await client.query(
    `INSERT INTO bench.texts
     SELECT nr - 1, title, nullif(description, ''), search_words(title, ''), search_words('', description)
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY texts (title, description, nr)`,
    [texts.map(({ title }) => title), texts.map(({ description }) => description)],
  );
}

async function connect(connection) {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}
