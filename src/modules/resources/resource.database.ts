import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { resourceView } from './resource.view.js';

/** Teams have members of their organization only, and a history of them; votes of a quorum lapse. */
export const RESOURCE_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Whether a resource may be a member of the team: one of its organization, or without one its creator and what the
     * creator has made.
     */
    `CREATE FUNCTION is_of_team(team resources, member text) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN team.organization_id IS NOT NULL
        THEN EXISTS (SELECT 1 FROM organization_resources m
                     WHERE m.organization_id = team.organization_id AND m.resource_id = member)
        ELSE member = team.created_by OR EXISTS (SELECT 1 FROM resources own WHERE own.id = member
               AND own.created_by = team.created_by AND own.user_id IS NULL AND own.organization_id IS NULL) END $$`,
    /** A team or resource that moves loses the memberships that it may not have. */
    `CREATE FUNCTION leave_team_behind() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM team_members m WHERE m.team_id = NEW.id AND NOT is_of_team(NEW, m.resource_id);
        DELETE FROM team_members m USING resources team
        WHERE team.id = m.team_id AND m.resource_id = NEW.id AND NOT is_of_team(team, NEW.id);
        RETURN NULL;
      END $$`,
    /** Who leaves an organization leaves its teams. */
    `CREATE FUNCTION leave_teams() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM team_members m USING resources team
        WHERE team.id = m.team_id AND m.resource_id = OLD.resource_id AND team.organization_id = OLD.organization_id;
        RETURN NULL;
      END $$`,
    /** Records since when and until when a resource is a member of a team. */
    `CREATE FUNCTION keep_team_membership() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO team_memberships (team_id, resource_id) VALUES (NEW.team_id, NEW.resource_id);
        ELSE
          UPDATE team_memberships SET left_at = clock_timestamp()
          WHERE team_id = OLD.team_id AND resource_id = OLD.resource_id AND left_at IS NULL;
        END IF;
        RETURN NULL;
      END $$`,
    /** Erases those resources that nothing refers to. */
    `CREATE FUNCTION erase_resources(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE one text;
      BEGIN
        FOREACH one IN ARRAY ids LOOP
          BEGIN
            DELETE FROM events WHERE entity_id = one;
            DELETE FROM resources WHERE id = one;
            DELETE FROM entities WHERE id = one;
          EXCEPTION WHEN foreign_key_violation THEN NULL;
          END;
        END LOOP;
      END $$`,
    /** A new status or owner makes the votes on it void. */
    `CREATE FUNCTION lapse_votes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE quorum_votes SET lapsed_at = clock_timestamp() WHERE entity_id = NEW.id AND lapsed_at IS NULL;
        RETURN NULL;
      END $$`,
    /** A change of the approved content makes the votes on it void. */
    `CREATE FUNCTION lapse_votes_on_content() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE quorum_votes v SET lapsed_at = clock_timestamp() WHERE v.entity_id = NEW.id AND v.lapsed_at IS NULL
          AND EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
            WHERE (c.value->>'revision')::integer = NEW.revision AND c.key = ANY(approved_parts(
              (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id
                WHERE e.id = NEW.endeavour_id))));
        RETURN NULL;
      END $$`,
    wordsFunction(resourceView),
  ],
  triggers: [
    `CREATE TRIGGER demands_lapse_votes AFTER UPDATE OF status ON demands
      FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lapse_votes()`,
    `CREATE TRIGGER demands_lapse_votes_on_content AFTER UPDATE ON demands FOR EACH ROW
      WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes) EXECUTE FUNCTION lapse_votes_on_content()`,
    `CREATE TRIGGER demands_lapse_votes_on_owner AFTER UPDATE OF owner_id ON demands
      FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION lapse_votes()`,
    `CREATE TRIGGER organization_resources_leave_teams AFTER DELETE ON organization_resources
      FOR EACH ROW EXECUTE FUNCTION leave_teams()`,
    wordsTrigger(resourceView),
    `CREATE TRIGGER resources_leave_team_behind AFTER UPDATE OF organization_id ON resources FOR EACH ROW
      WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION leave_team_behind()`,
    `CREATE TRIGGER tasks_lapse_votes AFTER UPDATE OF status ON tasks
      FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lapse_votes()`,
    `CREATE TRIGGER tasks_lapse_votes_on_content AFTER UPDATE OF title, description, metadata, endeavour_id, content_changes
      ON tasks FOR EACH ROW
      WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes) EXECUTE FUNCTION lapse_votes_on_content()`,
    `CREATE TRIGGER tasks_lapse_votes_on_owner AFTER UPDATE OF owner_id ON tasks
      FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION lapse_votes()`,
    `CREATE TRIGGER team_members_keep_history AFTER INSERT OR DELETE ON team_members
      FOR EACH ROW EXECUTE FUNCTION keep_team_membership()`,
  ],
};
