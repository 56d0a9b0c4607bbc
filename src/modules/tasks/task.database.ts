import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { WORDS_OF_WORK } from '../demands/demand.database.js';
import { taskView } from './task.view.js';

/** The history of a task: its statuses, its assignees, its authors, its rounds. */
export const TASK_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Records each status of a task with the times of entering and leaving it, and the hours of a closing. An imported
     * task has the history that its dates tell.
     */
    `CREATE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved timestamptz := clock_timestamp();
        began timestamptz;
        ended timestamptz;
        previous text;
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.status = OLD.status THEN RETURN NULL; END IF;
          previous := OLD.status;
          UPDATE task_statuses SET left_at = moved WHERE task_id = NEW.id AND left_at IS NULL;
          IF NEW.status IN ('done', 'canceled') THEN
            UPDATE task_statuses s SET closed_again_at = moved
            WHERE s.task_id = NEW.id AND s.status IN ('done', 'canceled') AND s.closed_again_at IS NULL;
          END IF;
        ELSIF current_setting('worksmith.importing', true) = 'on' THEN
          began := CASE WHEN NEW.started_at IS NOT NULL THEN greatest(NEW.started_at, NEW.created_at) END;
          ended := CASE WHEN NEW.status IN ('done', 'canceled')
            THEN greatest(coalesce(NEW.completed_at, NEW.canceled_at), began, NEW.created_at) END;
          INSERT INTO task_statuses (task_id, endeavour_id, status, entered_at, left_at, imported)
            VALUES (NEW.id, NEW.endeavour_id, 'planned', NEW.created_at, coalesce(began, ended, moved), true);
          previous := 'planned';
          IF began IS NOT NULL THEN
            INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, left_at, imported)
              VALUES (NEW.id, NEW.endeavour_id, previous, 'active', began, coalesce(ended, moved), true);
            previous := 'active';
          END IF;
          IF ended IS NOT NULL THEN
            INSERT INTO task_statuses
                (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours, imported)
              VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, ended, CASE NEW.status WHEN 'done'
                THEN began END,
                coalesce(NEW.actual, 0), true);
            RETURN NULL;
          END IF;
        END IF;
        INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours)
          VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, moved, CASE NEW.status WHEN 'done'
            THEN NEW.started_at END,
            CASE WHEN NEW.status IN ('done', 'canceled') THEN coalesce(NEW.actual, 0)
              - coalesce((SELECT sum(h.hours) FROM task_statuses h WHERE h.task_id = NEW.id), 0) END);
        RETURN NULL;
      END $$`,
    /** The history of a task is where the task is. */
    `CREATE FUNCTION take_status_history_along() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE task_statuses SET endeavour_id = NEW.endeavour_id WHERE task_id = NEW.id;
        RETURN NULL;
      END $$`,
    /** Actual hours that are corrected after the closing belong to it. */
    `CREATE FUNCTION correct_closed_hours() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE task_statuses SET hours = coalesce(hours, 0) + coalesce(NEW.actual, 0) - coalesce(OLD.actual, 0)
        WHERE task_id = NEW.id AND left_at IS NULL;
        RETURN NULL;
      END $$`,
    /** Records each assignment with its giver, and who has written meanwhile. */
    `CREATE FUNCTION keep_task_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        stays boolean := TG_OP = 'UPDATE' AND NEW.assignee_id IS NOT DISTINCT FROM OLD.assignee_id;
        -- Reopening ends the attestation, which is not a text of the one who reopens.
        reopened boolean := TG_OP = 'UPDATE' AND OLD.status = 'done' AND NEW.status <> 'done';
        closed_with_hours boolean := TG_OP = 'UPDATE' AND OLD.actual IS NULL AND OLD.status <> 'done' AND NEW.status = 'done';
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO task_assignments (task_id, assignee_id, assigned_by)
          VALUES (NEW.id, NEW.assignee_id, NEW.creator_id);
          RETURN NULL;
        END IF;
        IF NEW.updated_by IS NOT NULL AND (
          (NEW.title, NEW.description, NEW.estimate) IS DISTINCT FROM (OLD.title, OLD.description, OLD.estimate)
          OR NEW.metadata - 'dod_attested' IS DISTINCT FROM OLD.metadata - 'dod_attested'
          OR (NOT reopened AND (NEW.attested_at, NEW.metadata->'dod_attested')
            IS DISTINCT FROM (OLD.attested_at, OLD.metadata->'dod_attested'))
          OR (NEW.actual IS DISTINCT FROM OLD.actual AND NOT closed_with_hours)) THEN
          -- What an agent writes is barred for its manager of now, and for the one of then, who is no longer known later.
          UPDATE task_assignments SET writers = writers || ARRAY(
            SELECT DISTINCT wrote.id FROM unnest(ARRAY[NEW.updated_by, person_behind(NEW.updated_by)]) wrote (id)
            WHERE wrote.id <> ALL (writers))
          WHERE task_id = NEW.id AND ended_at IS NULL
            AND NOT writers @> ARRAY[NEW.updated_by, person_behind(NEW.updated_by)];
        END IF;
        IF stays THEN RETURN NULL; END IF;
        UPDATE task_assignments SET ended_at = clock_timestamp(), ended_by = NEW.updated_by
        WHERE task_id = NEW.id AND ended_at IS NULL;
        IF NEW.assignee_id IS NOT NULL THEN
          INSERT INTO task_assignments (task_id, assignee_id, assigned_by)
          VALUES (NEW.id, NEW.assignee_id, NEW.updated_by);
        END IF;
        RETURN NULL;
      END $$`,
    /** Records who changed which key of the metadata; above 100 keys, all as one. */
    `CREATE FUNCTION keep_metadata_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        change jsonb := jsonb_build_object('revision', NEW.revision, 'by', NEW.updated_by, 'at', clock_timestamp());
        changed jsonb;
      BEGIN
        SELECT coalesce(jsonb_object_agg('metadata.' || key, change), '{}') INTO changed
        FROM jsonb_each(OLD.metadata) before FULL JOIN jsonb_each(NEW.metadata) after USING (key)
        WHERE key NOT LIKE 'dod\\_%'
          AND approved_value(key, before.value) IS DISTINCT FROM approved_value(key, after.value);
        NEW.content_changes := NEW.content_changes || changed;
        IF (SELECT count(*) FROM jsonb_object_keys(NEW.content_changes)) > 100 THEN
          SELECT jsonb_object_agg(kept.key, kept.value) INTO NEW.content_changes FROM (
            SELECT '' AS key, NEW.content_changes->'' AS value WHERE NEW.content_changes ? ''
            UNION ALL SELECT 'metadata.*', change) kept;
        END IF;
        RETURN NEW;
      END $$`,
    /**
     * A task that is reopened, or changed after it was done, begins a new round in which earlier evidence does not
     * count (spec/08, Rounds).
     */
    `CREATE FUNCTION renew_round() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF OLD.status = 'done' AND NEW.status <> 'done' THEN
           NEW.round_started_at := clock_timestamp();
         ELSIF OLD.status = 'done' AND OLD.content_changes IS DISTINCT FROM NEW.content_changes
           AND EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
             WHERE c.value IS DISTINCT FROM OLD.content_changes->c.key AND c.key = ANY(approved_parts(
        (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id
          WHERE e.id = NEW.endeavour_id)))) THEN
           NEW.round_started_at := clock_timestamp();
           IF NEW.dod_result IN ('met', 'overridden', 'changed') THEN
             NEW.dod_result := 'changed';
             NEW.dod_changed_at := NEW.round_started_at;
             NEW.dod_changed_by := NEW.updated_by;
           END IF;
         END IF;
         IF NEW.dod_result IS DISTINCT FROM 'changed' THEN
           NEW.dod_changed_at := NULL;
           NEW.dod_changed_by := NULL;
         END IF;
         IF NEW.dod_overridden_at IS NULL THEN
           NEW.dod_override_policy_id := NULL;
         ELSIF OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at THEN
           NEW.dod_override_policy_id := (SELECT e.dod_policy_id FROM endeavours e WHERE e.id = NEW.endeavour_id);
         END IF;
         IF NEW.attested_at IS NULL THEN NEW.attestations := NULL; END IF;
         RETURN NEW;
       END $$`,
    /**
     * The people who are authors of a task because it was assigned to them. An assignment that ended counts for those
     * who made it themselves, wrote meanwhile, or gave it up, and for all after an hour in the status active.
     */
    `CREATE FUNCTION assignment_authors(task text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
      SELECT author.person FROM task_assignments h,
        LATERAL (SELECT h.assignee_id AS resource, h.assigned_at AS since, coalesce(h.ended_at, 'infinity') AS until
          UNION SELECT m.resource_id, greatest(m.joined_at, h.assigned_at),
            least(m.left_at, coalesce(h.ended_at, 'infinity'))
          FROM team_memberships m WHERE m.team_id = h.assignee_id
            AND m.joined_at <= coalesce(h.ended_at, 'infinity')
            AND coalesce(m.left_at, 'infinity') >= h.assigned_at) assignee,
        LATERAL people_behind(assignee.resource, assignee.since, assignee.until) author (person)
      WHERE h.task_id = task AND assignee.resource IS NOT NULL AND (
        h.ended_at IS NULL
        OR (SELECT coalesce(sum(least(coalesce(s.left_at, 'infinity'), h.ended_at)
              - greatest(s.entered_at, h.assigned_at)), interval '0')
            FROM task_statuses s WHERE s.task_id = task AND s.status = 'active' AND NOT s.imported
              AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at) >= interval '1 hour'
        OR author.person IN (SELECT people_behind(h.assigned_by, h.assigned_at, h.assigned_at))
        OR (person_at(h.ended_by, h.ended_at) = person_at(assignee.resource, h.ended_at)
          AND author.person IN (SELECT people_behind(h.ended_by, h.ended_at, h.ended_at)))
        OR EXISTS (SELECT 1 FROM unnest(h.writers) writer (id),
            LATERAL (SELECT ARRAY(SELECT people_behind(writer.id, h.assigned_at, h.ended_at)) AS people) had
          WHERE author.person = person_behind(writer.id)
            -- Rows of before name the agent alone, so that each of its managers of that time may have been the one.
            OR (author.person = ANY (had.people) AND NOT had.people && h.writers))
        OR EXISTS (SELECT 1 FROM task_contributions k
          WHERE k.task_id = task AND k.created_at BETWEEN h.assigned_at AND h.ended_at
            AND author.person IN (SELECT people_behind(k.resource_id, k.created_at, k.created_at)))) $$`,
    /**
     * The people who are authors of a task under these conditions: its creator, importer, assignees, and who last
     * changed its approved content (spec/08).
     */
    `CREATE FUNCTION task_authors(task text, assignee text, conditions jsonb) RETURNS SETOF text
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT author.person FROM (
          SELECT own.creator_id AS resource, own.created_at AS since, own.created_at AS until FROM tasks own
            WHERE own.id = task
          UNION ALL SELECT own.imported_by, '-infinity', 'infinity' FROM tasks own
            WHERE own.id = task AND own.imported_by IS NOT NULL
          UNION ALL SELECT assignee, now(), 'infinity' WHERE assignee IS NOT NULL
          UNION ALL SELECT member.resource_id, now(), 'infinity' FROM team_members member
            WHERE member.team_id = assignee
          UNION ALL (SELECT c.value->>'by', (c.value->>'at')::timestamptz, (c.value->>'at')::timestamptz
            FROM tasks own, jsonb_each(own.content_changes) c
            WHERE own.id = task AND c.key = ANY(approved_parts(conditions))
            ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) acted,
          LATERAL people_behind(acted.resource, acted.since, acted.until) author (person)
        WHERE acted.resource IS NOT NULL
        UNION SELECT assignment_authors(task) $$`,
    /** Whether the person behind a resource is an author of the task under the policy of the endeavour. */
    `CREATE FUNCTION is_task_author(task text, endeavour text, resource text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT EXISTS (SELECT 1 FROM tasks t LEFT JOIN endeavours e ON e.id = endeavour
            LEFT JOIN dod_policies p ON p.id = e.dod_policy_id,
            LATERAL task_authors(t.id, t.assignee_id, p.conditions) author (person)
          WHERE t.id = task AND author.person = person_behind(resource)) $$`,
  ],
  views: [
    /** What other features see of tasks. */
    `CREATE VIEW task_states AS SELECT id, endeavour_id, demand_id, status, blocked_by_count, stage FROM tasks`,
    /** Who contributed to a task by artifacts, results and comments, and when. */
    `CREATE VIEW task_contributions AS SELECT task_id, created_by AS resource_id, created_at FROM artifacts
      UNION ALL SELECT task_id, posted_by, created_at FROM dod_results
      UNION ALL SELECT entity_id, author_id, created_at FROM comments WHERE entity_type = 'task'
      UNION ALL SELECT entity_id, author_id, edited_at FROM comments WHERE entity_type = 'task'
        AND edited_at IS NOT NULL
      UNION ALL SELECT target_entity_id, created_by, created_at FROM relations
        WHERE target_entity_type = 'task' AND source_entity_type = 'artifact'
      UNION ALL SELECT source_entity_id, created_by, created_at FROM relations
        WHERE source_entity_type = 'task' AND target_entity_type = 'artifact'`,
  ],
  triggers: [
    contentTrigger(taskView, { isByColumn: true }),
    wordsTrigger(taskView, WORDS_OF_WORK),
    `CREATE TRIGGER tasks_correct_closed_hours AFTER UPDATE OF actual ON tasks FOR EACH ROW
      WHEN (OLD.actual IS DISTINCT FROM NEW.actual AND OLD.status = NEW.status AND NEW.status IN ('done', 'canceled'))
      EXECUTE FUNCTION correct_closed_hours()`,
    `CREATE TRIGGER tasks_keep_assignments AFTER UPDATE ON tasks FOR EACH ROW WHEN ((OLD.assignee_id IS NOT NULL
      OR NEW.assignee_id IS NOT NULL)
      AND (OLD.revision <> NEW.revision OR OLD.assignee_id IS DISTINCT FROM NEW.assignee_id))
      EXECUTE FUNCTION keep_task_assignment()`,
    `CREATE TRIGGER tasks_keep_first_assignment AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.assignee_id IS NOT NULL) EXECUTE FUNCTION keep_task_assignment()`,
    `CREATE TRIGGER tasks_keep_metadata_changes BEFORE UPDATE OF metadata, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION keep_metadata_changes()`,
    `CREATE TRIGGER tasks_keep_status AFTER INSERT OR UPDATE OF status ON tasks FOR EACH ROW
      EXECUTE FUNCTION keep_task_status()`,
    `CREATE TRIGGER tasks_renew_round BEFORE UPDATE ON tasks FOR EACH ROW WHEN ((OLD.status = 'done'
      AND (NEW.status <> 'done' OR OLD.dod_result IS DISTINCT FROM NEW.dod_result
        OR OLD.content_changes IS DISTINCT FROM NEW.content_changes))
      OR OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at
      OR (NEW.attested_at IS NULL AND NEW.attestations IS NOT NULL))
             EXECUTE FUNCTION renew_round()`,
    `CREATE TRIGGER tasks_take_status_history_along AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION take_status_history_along()`,
  ],
};
