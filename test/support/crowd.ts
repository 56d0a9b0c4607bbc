import type { TestApp } from './test-app.js';

/** Adds many users to an endeavour as viewers in one statement: `<name> 1`, `<name> 2` etc. They cannot sign in. */
export async function addViewers(app: TestApp, endeavourId: string, size: number, name: string): Promise<void> {
  await app.database.query(
    `WITH people AS (SELECT new_id('usr') AS u, new_id('res') AS r, $3 || ' ' || n AS name FROM generate_series(1, $2::integer) n),
     placed AS (INSERT INTO entities (id, kind, title)
       SELECT u, 'user', name FROM people UNION ALL SELECT r, 'resource', name FROM people),
     resources AS (INSERT INTO resources (id, name, type, user_id) SELECT r, name, 'human', u FROM people),
     users AS (INSERT INTO users (id, email, name, tier, resource_id)
       SELECT u, u || '@example.test', name, 3, r FROM people)
     INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role) SELECT $1, u, r, 'viewer' FROM people`,
    [endeavourId, size, name],
  );
}
