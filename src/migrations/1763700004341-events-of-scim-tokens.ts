import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `CREATE OR REPLACE FUNCTION feed_place(x entities, type text, actor text) RETURNS text STABLE LANGUAGE plpgsql AS $$
            BEGIN
              IF x.kind NOT IN ('message', 'invitation', 'webhook', 'access_token', 'identity_provider', 'scim_token') AND type <> 'alert.raised' THEN
                RETURN coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END);
              END IF;
              RETURN CASE
        WHEN x.kind = 'message' AND type <> 'message.sent'
          THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
        WHEN x.kind = 'invitation' THEN coalesce((
          SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id),
            'administrators')
        WHEN type = 'alert.raised' OR x.kind = 'webhook'
          THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
        WHEN x.kind IN ('identity_provider', 'scim_token') THEN coalesce(x.organization_id || ':owner', 'administrators')
        WHEN x.kind = 'access_token'
          THEN coalesce((SELECT u.manager_id FROM users u WHERE u.id = x.owner_user_id), x.owner_user_id,
            'administrators')
        ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
      END;
            END $$`;
const DOWN = `CREATE OR REPLACE FUNCTION feed_place(x entities, type text, actor text) RETURNS text STABLE LANGUAGE plpgsql AS $$
            BEGIN
              IF x.kind NOT IN ('message', 'invitation', 'webhook', 'access_token', 'identity_provider') AND type <> 'alert.raised' THEN
                RETURN coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END);
              END IF;
              RETURN CASE
        WHEN x.kind = 'message' AND type <> 'message.sent'
          THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
        WHEN x.kind = 'invitation' THEN coalesce((
          SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id),
            'administrators')
        WHEN type = 'alert.raised' OR x.kind = 'webhook'
          THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
        WHEN x.kind = 'identity_provider' THEN coalesce(x.organization_id || ':owner', 'administrators')
        WHEN x.kind = 'access_token'
          THEN coalesce((SELECT u.manager_id FROM users u WHERE u.id = x.owner_user_id), x.owner_user_id,
            'administrators')
        ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
      END;
            END $$`;

/** Events of provisioning tokens, which only owners receive. */
export class EventsOfScimTokens1763700004341 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
