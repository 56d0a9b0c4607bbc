import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { insertRowEvents } from '../../platform/events/row-events.js';
import { tokenView } from '../tokens/token.view.js';
import { userView } from '../users/user.view.js';

/** Agents of an organization have a manager, who answers for them. */
export const AGENT_OBJECTS: DatabaseObjects = {
  functions: [
    /** Stores the former manager of an agent, with the times at which this began and ended. */
    `CREATE FUNCTION keep_former_manager() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_managers (agent_id, manager_id, began_at)
        VALUES (NEW.id, OLD.manager_id, (SELECT max(f.ended_at) FROM former_managers f WHERE f.agent_id = NEW.id));
        RETURN NULL;
      END $$`,
    /**
     * Ends the tokens of the agents that the former manager had in the organization, and gives them to its longest-
     * standing active owner.
     */
    `CREATE FUNCTION succeed_manager(former text, organization text) RETURNS void LANGUAGE plpgsql
        SET search_path = public AS $$
      BEGIN
        WITH ended AS (
          UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
          WHERE ended_at IS NULL
            AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = organization AND a.manager_id = former)
          RETURNING *),
        worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
        news AS (${insertRowEvents({
          view: tokenView,
          act: 'deleted',
          rows: 'ended',
          changed: 'ended_at',
          previous: `'{"ended_at": null}'`,
        })} RETURNING *)
        INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
        SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, organization,
          only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
        FROM news n;
        WITH replaced AS (
          UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = (
            SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
            WHERE m.organization_id = organization AND m.role = 'owner' AND m.user_id <> former
              AND o.status = 'active' AND NOT o.is_managed
            ORDER BY m.joined_at, m.user_id LIMIT 1)
          WHERE agent_of = organization AND manager_id = former RETURNING *)
        ${insertRowEvents({
          view: userView,
          act: 'updated',
          rows: 'replaced',
          changed: 'manager_id',
          previous: `json_build_object('manager_id', former)`,
        })};
      END $$`,
    /** A manager who leaves the organization, or is no longer an admin of it, loses its agents. */
    `CREATE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql
        SET search_path = public AS $$
      BEGIN
        PERFORM succeed_manager(OLD.user_id, OLD.organization_id);
        RETURN NULL;
      END $$`,
    /** Who is no longer an administrator loses agents of organizations in which they are no admin. */
    `CREATE FUNCTION replace_former_administrator() RETURNS trigger LANGUAGE plpgsql
        SET search_path = public AS $$
      BEGIN
        PERFORM succeed_manager(NEW.id, o.id) FROM (
          SELECT DISTINCT a.agent_of AS id FROM users a WHERE a.manager_id = NEW.id AND a.agent_of IS NOT NULL) o
        WHERE NOT EXISTS (SELECT 1 FROM organization_resources m
          WHERE m.organization_id = o.id AND m.user_id = NEW.id AND role_rank(m.role) >= 3);
        RETURN NULL;
      END $$`,
    /** The resource of an agent is named after the agent and its manager. */
    `CREATE FUNCTION name_agents() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH named AS (
          UPDATE resources r SET name = left(a.name || coalesce(', for ' || m.name, ''), 500)
          FROM users a LEFT JOIN users m ON m.id = a.manager_id
          WHERE a.is_managed AND (a.id = NEW.id OR a.manager_id = NEW.id) AND r.id = a.resource_id
          RETURNING r.id, r.name)
        UPDATE entities x SET title = named.name FROM named WHERE x.id = named.id;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER organization_resources_lose_manager AFTER DELETE ON organization_resources FOR EACH ROW
      WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION replace_manager()`,
    `CREATE TRIGGER organization_resources_replace_manager AFTER UPDATE OF role ON organization_resources FOR EACH ROW
      WHEN (role_rank(OLD.role) >= 3 AND role_rank(NEW.role) < 3) EXECUTE FUNCTION replace_manager()`,
    `CREATE TRIGGER users_keep_former_manager AFTER UPDATE OF manager_id ON users FOR EACH ROW
      WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id AND OLD.manager_id IS NOT NULL)
      EXECUTE FUNCTION keep_former_manager()`,
    `CREATE TRIGGER users_name_agent AFTER INSERT ON users FOR EACH ROW WHEN (NEW.is_managed)
      EXECUTE FUNCTION name_agents()`,
    `CREATE TRIGGER users_rename_agents AFTER UPDATE OF name, manager_id ON users FOR EACH ROW
      WHEN ((NEW.name, NEW.manager_id) IS DISTINCT FROM (OLD.name, OLD.manager_id)) EXECUTE FUNCTION name_agents()`,
    `CREATE TRIGGER users_replace_former_administrator AFTER UPDATE OF is_admin ON users FOR EACH ROW
      WHEN (OLD.is_admin AND NOT NEW.is_admin) EXECUTE FUNCTION replace_former_administrator()`,
  ],
};
