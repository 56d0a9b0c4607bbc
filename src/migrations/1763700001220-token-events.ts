import type { MigrationInterface, QueryRunner } from 'typeorm';

const PLACE = (tokens: string): string => `
  CREATE OR REPLACE FUNCTION feed_place(x entities, type text, actor text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN x.kind = 'message' AND type <> 'message.sent'
        THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
      WHEN x.kind = 'invitation' THEN coalesce((
        SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id), 'administrators')
      WHEN type = 'alert.raised' OR x.kind = 'webhook'
        THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
      ${tokens}
      ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
    END $$`;

const OF_MANAGER = `WHEN x.kind = 'access_token'
        THEN coalesce((SELECT u.manager_id FROM users u WHERE u.id = x.owner_user_id), x.owner_user_id, 'administrators')`;

const REPLACE = `UPDATE feed f SET place = feed_place(x, f.type, f.actor_id) FROM entities x
  WHERE x.id = f.entity_id AND f.entity_type = 'access_token' AND f.place <> feed_place(x, f.type, f.actor_id)`;

/** Shows the events of an agent's tokens to its current manager, who may list the tokens. */
export class TokenEvents1763700001220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      PLACE(OF_MANAGER),
      REPLACE,
      `CREATE FUNCTION replace_token_events() RETURNS trigger LANGUAGE plpgsql
         SET search_path = public AS $$
       BEGIN
         PERFORM replace_in_feed(a.id) FROM access_tokens a WHERE a.user_id = NEW.id ORDER BY a.id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_replace_token_events AFTER UPDATE OF manager_id ON users FOR EACH ROW
         WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION replace_token_events()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER users_replace_token_events ON users`,
      `DROP FUNCTION replace_token_events`,
      PLACE(''),
      REPLACE,
    ]) {
      await runner.query(statement);
    }
  }
}
