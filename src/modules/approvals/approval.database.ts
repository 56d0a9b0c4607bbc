import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/**
 * Approvals are immutable; a rejection knows the roles that its giver held, and which of them an author has taken away
 * (spec/08, Rounds).
 */
export const APPROVAL_OBJECTS: DatabaseObjects = {
  functions: [
    /** The parts of the content of a task that an approval refers to, under these conditions of a policy. */
    `CREATE FUNCTION approved_parts(conditions jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
         SELECT coalesce(array_agg(named.part),
           '{}') || '{"", metadata.*, metadata.checklist, metadata.acceptance}'::text[]
         FROM (SELECT DISTINCT 'metadata.' || CASE
        WHEN c->>'type' = 'checklist_complete' THEN 'checklist'
        ELSE regexp_replace(c->'params'->>'field', '^metadata\\.', '') END AS part
      FROM jsonb_array_elements(coalesce(conditions, '[]')) c WHERE c->>'type' IN ('field_populated')) named
        WHERE named.part IS NOT NULL $$`,
    /** The value of a metadata key without what ticking an item changes, and without the ids that items were given. */
    `CREATE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN key IN ('checklist', 'acceptance') AND jsonb_typeof(value) = 'array' THEN
        (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
           THEN item - '{checked,checked_at,checked_by}'::text[]
             - CASE WHEN item->>'id' ~ '^[0-9a-f]{12}$' THEN '{id}' ELSE '{}'::text[] END
           ELSE item END), '[]')
         FROM jsonb_array_elements(value) item)
      ELSE value END $$`,
    /** Records who changed the approved content, when, and in which revision. */
    `CREATE FUNCTION keep_content_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.content_changes := NEW.content_changes || jsonb_build_object('', jsonb_build_object(
          'revision', NEW.revision, 'by', NEW.updated_by, 'at', clock_timestamp()));
        RETURN NEW;
      END $$`,
    /** Refuses to change an approval, but for its end. */
    `CREATE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE changes text[] := '{is_current,dismissed_at,dismissed_by,dismissed_reason,ended_by,given_in,held_roles,kept_roles,lifted_at,ended_by_author}';
      BEGIN
        IF current_setting('worksmith.erasing', true) = 'on' THEN
          RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        IF TG_OP = 'UPDATE' AND OLD.is_current AND to_jsonb(NEW) - changes = to_jsonb(OLD) - changes
          AND (OLD.dismissed_at IS NULL OR (NEW.dismissed_at, NEW.dismissed_by, NEW.dismissed_reason)
            = (OLD.dismissed_at, OLD.dismissed_by, OLD.dismissed_reason)) THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'approvals is never changed' USING ERRCODE = 'restrict_violation';
      END $$`,
    /** A new approval knows where it was given, and a rejection the roles and the kind of user of its giver. */
    `CREATE FUNCTION store_standing() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      DECLARE earlier record;
      BEGIN
        NEW.given_in := (SELECT t.endeavour_id FROM tasks t WHERE t.id = NEW.entity_id);
        IF NEW.verdict = 'approved' THEN RETURN NEW; END IF;
        NEW.held_roles := coalesce(roles_held((SELECT u.id FROM users u WHERE u.resource_id = NEW.approver_id),
          NEW.given_in), '{}');
        NEW.giver_type := (SELECT u.user_type FROM users u WHERE u.resource_id = NEW.approver_id);
        SELECT a.verdict, a.kept_roles, a.was_member, a.was_author, a.giver_type INTO earlier FROM approvals a
          WHERE a.entity_id = NEW.entity_id AND a.approver_id = NEW.approver_id
            AND a.dismissed_at IS NULL AND a.lifted_at IS NULL AND NOT EXISTS (
              SELECT 1 FROM approvals later WHERE later.entity_id = a.entity_id AND later.approver_id = a.approver_id
                AND (later.created_at, later.id) > (a.created_at, a.id));
        IF earlier.verdict IN ('rejected', 'needs_work') THEN
          NEW.kept_roles := earlier.kept_roles;
          IF earlier.verdict = NEW.verdict AND earlier.was_member THEN
            NEW.was_author := NEW.was_author AND earlier.was_author;
            NEW.was_member := true;
            IF earlier.giver_type = 'human' THEN NEW.giver_type := 'human'; END IF;
          END IF;
        END IF;
        RETURN NEW;
      END $$`,
    /**
     * After roles of a person changed: their rejections lose the roles that the person no longer holds, but keep those
     * that an author of the task has taken away. A rejection whose giver no longer sees the task is lifted if no author
     * did that.
     */
    `CREATE FUNCTION keep_objections(person text, endeavour text) RETURNS void LANGUAGE plpgsql SET search_path = public
  AS $$
      DECLARE
        actor text := nullif(current_setting('worksmith.actor', true), '');
        -- An account is erased in its own name; who closed it has been judged then.
        is_erased boolean := EXISTS (SELECT 1 FROM users u
          WHERE u.id = person AND u.erased_at IS NOT NULL AND u.resource_id = actor);
        said record;
        held text[];
        lost text[];
        by_author boolean;
      BEGIN
        FOR said IN SELECT a.id, a.entity_id, a.given_in, a.held_roles, a.kept_roles, a.ended_by, a.ended_by_author,
            u.id AS user_id FROM approvals a JOIN users u ON u.resource_id = a.approver_id
          WHERE a.id IN (
              SELECT a.id FROM approvals a WHERE person IS NULL AND a.given_in = endeavour AND a.is_current
                AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
                  AND a.lifted_at IS NULL
              UNION ALL SELECT a.id FROM users u JOIN approvals a ON a.approver_id = u.resource_id
                WHERE (u.id = person OR u.manager_id = person) AND a.is_current AND a.verdict <> 'approved'
                  AND a.entity_type = 'task' AND a.dismissed_at IS NULL
                    AND a.lifted_at IS NULL
                  AND (endeavour IS NULL OR a.given_in = endeavour))
          ORDER BY a.id FOR NO KEY UPDATE OF a
        LOOP
          held := roles_held(said.user_id, said.given_in);
          CONTINUE WHEN held = said.held_roles;
          lost := ARRAY(SELECT unnest(said.held_roles) EXCEPT SELECT unnest(held));
          by_author := CASE WHEN lost = '{}' THEN false
            WHEN is_erased AND said.ended_by_author IS NOT NULL THEN said.ended_by_author
            ELSE actor IS NULL OR is_task_author(said.entity_id,
              (SELECT t.endeavour_id FROM tasks t WHERE t.id = said.entity_id), actor) END;
          UPDATE approvals SET held_roles = held,
            kept_roles = ARRAY(SELECT unnest(said.kept_roles) EXCEPT SELECT unnest(held)
              UNION SELECT unnest(lost) WHERE by_author)
          WHERE id = said.id;
          IF 'viewer' = ANY(lost) THEN
            UPDATE approvals SET ended_by = CASE WHEN is_erased THEN coalesce(said.ended_by, actor) ELSE actor END,
              ended_by_author = by_author, lifted_at = CASE WHEN NOT by_author THEN clock_timestamp() END
            WHERE id = said.id;
          END IF;
        END LOOP;
      END $$`,
    /** Judges the rejections of people whose roles changed, at the end of the transaction. */
    `CREATE FUNCTION record_ended_rejecters() RETURNS trigger LANGUAGE plpgsql
      SET search_path = public AS $$
      DECLARE link jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
      BEGIN
        CASE TG_TABLE_NAME
          WHEN 'organization_endeavours' THEN PERFORM keep_objections(NULL, link->>'endeavour_id');
          WHEN 'endeavour_members' THEN PERFORM keep_objections(link->>'user_id', link->>'endeavour_id');
          WHEN 'users' THEN PERFORM keep_objections(link->>'id', NULL);
          ELSE
            IF link->>'user_id' IS NOT NULL THEN PERFORM keep_objections(link->>'user_id', NULL); END IF;
        END CASE;
        RETURN NULL;
      END $$`,
    /** Stores in the rejections of an account that is closed who closed it, and whether as an author of the task. */
    `CREATE FUNCTION record_closed_rejecters() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      DECLARE closer text := (SELECT c.resource_id FROM users c WHERE c.id = NEW.closed_by);
      BEGIN
        UPDATE approvals a SET ended_by = closer, ended_by_author = is_task_author(a.entity_id, t.endeavour_id,
          closer)
        FROM tasks t, users u
        WHERE t.id = a.entity_id AND u.resource_id = a.approver_id AND (u.id = NEW.id OR u.manager_id = NEW.id)
          AND a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
            AND a.lifted_at IS NULL;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER approvals_immutable BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW
      WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_approval()`,
    `CREATE TRIGGER approvals_store_standing BEFORE INSERT ON approvals FOR EACH ROW
      WHEN (NEW.entity_type = 'task') EXECUTE FUNCTION store_standing()`,
    `CREATE CONSTRAINT TRIGGER endeavour_members_end_rejecters AFTER INSERT OR UPDATE OR DELETE ON endeavour_members
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters()`,
    `CREATE CONSTRAINT TRIGGER organization_endeavours_end_rejecters AFTER INSERT OR UPDATE OR DELETE
      ON organization_endeavours
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters()`,
    `CREATE CONSTRAINT TRIGGER organization_resources_end_rejecters AFTER INSERT OR UPDATE OR DELETE
      ON organization_resources
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters()`,
    `CREATE TRIGGER users_close_rejecters AFTER UPDATE OF closed_by ON users FOR EACH ROW
      WHEN (NEW.closed_by IS NOT NULL) EXECUTE FUNCTION record_closed_rejecters()`,
    `CREATE CONSTRAINT TRIGGER users_end_rejecters AFTER UPDATE ON users
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((OLD.manager_id, OLD.is_admin) IS DISTINCT
        FROM (NEW.manager_id, NEW.is_admin))) EXECUTE FUNCTION record_ended_rejecters()`,
  ],
};
