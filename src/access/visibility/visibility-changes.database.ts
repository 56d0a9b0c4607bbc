import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Tells those who follow the feed which containers became visible to them, and which are no longer. */
export const VISIBILITY_CHANGE_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * A new link of an endeavour and an organization knows whether that is its home, and whether the endeavour is
     * private.
     */
    `CREATE FUNCTION mark_link() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT e.organization_id IS NOT DISTINCT FROM NEW.organization_id, e.is_private INTO NEW.is_home,
          NEW.is_private
        FROM endeavours e WHERE e.id = NEW.endeavour_id FOR SHARE;
        NEW.is_home := coalesce(NEW.is_home, false);
        NEW.is_private := coalesce(NEW.is_private, false);
        RETURN NEW;
      END $$`,
    /** The links of an endeavour follow its home and its privacy. */
    `CREATE FUNCTION mark_links() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('worksmith.actor', coalesce(NEW.updated_by, ''), true);
        UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = false
        WHERE endeavour_id = NEW.id AND organization_id IS DISTINCT FROM NEW.organization_id;
        UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = true
        WHERE endeavour_id = NEW.id AND organization_id = NEW.organization_id;
        RETURN NULL;
      END $$`,
    /** The endeavours that a member of the organization with this role sees by this membership alone. */
    `CREATE FUNCTION seen_through(organization text, member text, role text) RETURNS text[] LANGUAGE sql STABLE AS $$
      SELECT ARRAY(SELECT l.endeavour_id FROM organization_endeavours l
        WHERE l.organization_id = organization AND role IS NOT NULL
          AND (NOT l.is_private OR (l.is_home AND role_rank(role) >= 3))
          AND NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member
            AND g.endeavour_id = l.endeavour_id
                            AND g.organization_id IS DISTINCT FROM organization)
        ORDER BY l.endeavour_id) $$`,
    /**
     * Tells an audience in the feed that containers became visible to it or are no longer (`visibility.gained`,
     * `visibility.lost`).
     */
    `CREATE FUNCTION tell_sight(sight text, kind text, audience_id text, endeavours text[], organizations text[])
      RETURNS void LANGUAGE sql AS $$
        INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
        SELECT new_id('evt'), 'visibility.' || sight, kind, audience_id,
          CASE WHEN kind = 'endeavour' THEN audience_id END, CASE WHEN kind = 'organization' THEN audience_id END,
          json_build_object('endeavour_ids', endeavours, 'organization_ids', organizations)
        WHERE cardinality(endeavours) + cardinality(organizations) > 0 $$`,
    /** A membership of an endeavour changes what the member sees. */
    `CREATE FUNCTION tell_sight_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        member endeavour_members := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member.user_id
                         AND g.endeavour_id = member.endeavour_id AND g.organization_id IS NOT NULL) THEN
          PERFORM tell_sight(CASE TG_OP WHEN 'DELETE' THEN 'lost' ELSE 'gained' END, 'user', member.user_id,
            ARRAY[member.endeavour_id], '{}');
        END IF;
        RETURN NULL;
      END $$`,
    /** A membership of an organization, or its role, changes what the member sees. */
    `CREATE FUNCTION tell_sight_of_organization_member() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        at text := coalesce(NEW.organization_id, OLD.organization_id);
        member text := coalesce(NEW.user_id, OLD.user_id);
        before text[] := seen_through(at, member, OLD.role);
        after text[] := seen_through(at, member, NEW.role);
      BEGIN
        PERFORM tell_sight('lost', 'user', member, ARRAY(SELECT unnest(before) EXCEPT SELECT unnest(after)),
          CASE WHEN NEW IS NULL THEN ARRAY[at] ELSE '{}' END);
        PERFORM tell_sight('gained', 'user', member, ARRAY(SELECT unnest(after) EXCEPT SELECT unnest(before)),
          CASE WHEN OLD IS NULL THEN ARRAY[at] ELSE '{}' END);
        RETURN NULL;
      END $$`,
    /** A link to an endeavour, or its privacy, changes what the members of the organization see. */
    `CREATE FUNCTION tell_sight_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        link organization_endeavours := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        endeavours text[] := ARRAY[link.endeavour_id];
        earlier text := CASE WHEN NOT OLD.is_private THEN 'members' WHEN OLD.is_home THEN 'admins' ELSE 'nobody' END;
        current text := CASE WHEN NOT NEW.is_private THEN 'members' WHEN NEW.is_home THEN 'admins' ELSE 'nobody' END;
      BEGIN
        IF current = earlier THEN
          RETURN NULL;
        END IF;
        IF current = 'members' THEN
          PERFORM tell_sight('gained', 'organization', link.organization_id, endeavours, '{}');
        ELSIF earlier = 'members' THEN
          PERFORM tell_sight('lost', 'organization', link.organization_id, endeavours, '{}');
          -- Members who see it in another way have been told that they lost it.
          IF EXISTS (SELECT 1 FROM organization_resources m JOIN endeavour_grants g ON g.user_id = m.user_id
                     WHERE m.organization_id = link.organization_id AND g.endeavour_id = link.endeavour_id) THEN
            PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
          END IF;
        ELSIF current = 'admins' THEN
          PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
        ELSE
          PERFORM tell_sight('lost', 'user', m.user_id, endeavours, '{}')
          FROM organization_resources m
          WHERE m.organization_id = link.organization_id AND m.user_id IS NOT NULL AND role_rank(m.role) >= 3
            AND NOT EXISTS (SELECT 1 FROM endeavour_grants g
                            WHERE g.user_id = m.user_id AND g.endeavour_id = link.endeavour_id);
        END IF;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER endeavour_members_tell_sight AFTER INSERT OR DELETE ON endeavour_members FOR EACH ROW
      EXECUTE FUNCTION tell_sight_of_member()`,
    `CREATE TRIGGER endeavours_mark_links AFTER UPDATE OF organization_id, is_private ON endeavours FOR EACH ROW
      WHEN ((NEW.organization_id, NEW.is_private) IS DISTINCT FROM (OLD.organization_id, OLD.is_private))
      EXECUTE FUNCTION mark_links()`,
    `CREATE TRIGGER organization_endeavours_mark BEFORE INSERT ON organization_endeavours
      FOR EACH ROW EXECUTE FUNCTION mark_link()`,
    `CREATE TRIGGER organization_endeavours_tell_sight AFTER INSERT OR UPDATE OR DELETE ON organization_endeavours
      FOR EACH ROW EXECUTE FUNCTION tell_sight_of_link()`,
    `CREATE TRIGGER organization_resources_tell_sight_changed AFTER UPDATE OF role ON organization_resources
      FOR EACH ROW
      WHEN (NEW.user_id IS NOT NULL AND NEW.role <> OLD.role) EXECUTE FUNCTION tell_sight_of_organization_member()`,
    `CREATE TRIGGER organization_resources_tell_sight_gained AFTER INSERT ON organization_resources FOR EACH ROW
      WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member()`,
    `CREATE TRIGGER organization_resources_tell_sight_lost AFTER DELETE ON organization_resources FOR EACH ROW
      WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member()`,
  ],
};
