import { newId } from '../../src/common/ids.js';
import type { Person, TestApp } from './test-app.js';

/** A provider whose host does not exist. */
export const PROVIDER = { name: 'Directory', issuer: 'https://login.example.com', client_id: 'worksmith' };

/** Links the person with an identity at the provider, without a sign-in there, and returns its id. */
export async function linkedIdentity(app: TestApp, person: Pick<Person, 'id'>, provider: string): Promise<string> {
  const id = newId('identity');
  await app.database.query(
    `WITH placed AS (INSERT INTO entities (id, kind, owner_user_id, title) VALUES ($1, 'identity', $2, 'Identity')),
       linked AS (INSERT INTO identities (id, user_id, provider_id, subject) VALUES ($1, $2, $3, $1))
     INSERT INTO events (id, type, entity_type, entity_id, changed, audience, data)
     VALUES (new_id('evt'), 'identity.created', 'identity', $1, '{}', '{}',
       json_build_object('id', $1::text, 'user_id', $2::text, 'provider_id', $3::text, 'revision', 1))`,
    [id, person.id, provider],
  );
  return id;
}
