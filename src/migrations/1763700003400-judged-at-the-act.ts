import type { MigrationInterface, QueryRunner } from 'typeorm';

export class JudgedAtTheAct1763700003400 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION person_at(resource text, moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce((SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id
          JOIN users m ON m.id = f.manager_id
        WHERE a.resource_id = resource AND f.ended_at > moment AND coalesce(f.began_at, '-infinity') <= moment
        ORDER BY f.ended_at LIMIT 1), person_behind(resource)) $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION keep_task_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
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
          UPDATE task_assignments SET writers = writers || NEW.updated_by
          WHERE task_id = NEW.id AND ended_at IS NULL AND NEW.updated_by <> ALL (writers);
        END IF;
        IF stays THEN RETURN NULL; END IF;
        UPDATE task_assignments SET ended_at = clock_timestamp(), ended_by = NEW.updated_by
        WHERE task_id = NEW.id AND ended_at IS NULL;
        IF NEW.assignee_id IS NOT NULL THEN
          INSERT INTO task_assignments (task_id, assignee_id, assigned_by)
          VALUES (NEW.id, NEW.assignee_id, NEW.updated_by);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION assignment_authors(task text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
      SELECT author.person FROM task_assignments h,
        LATERAL (SELECT h.assignee_id AS resource
          UNION SELECT m.resource_id FROM team_memberships m WHERE m.team_id = h.assignee_id
            AND m.joined_at <= coalesce(h.ended_at, 'infinity')
            AND coalesce(m.left_at, 'infinity') >= h.assigned_at) assignee,
        LATERAL people_behind(assignee.resource, h.assigned_at, coalesce(h.ended_at, 'infinity')) author (person)
      WHERE h.task_id = task AND assignee.resource IS NOT NULL AND (
        h.ended_at IS NULL
        OR (SELECT coalesce(sum(least(coalesce(s.left_at, 'infinity'), h.ended_at)
              - greatest(s.entered_at, h.assigned_at)), interval '0')
            FROM task_statuses s WHERE s.task_id = task AND s.status = 'active' AND NOT s.imported
              AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at) >= interval '1 hour'
        OR author.person IN (SELECT people_behind(h.assigned_by, h.assigned_at, h.assigned_at))
        OR (person_at(h.ended_by, h.ended_at) = person_at(assignee.resource, h.ended_at)
          AND author.person IN (SELECT people_behind(h.ended_by, h.ended_at, h.ended_at)))
        OR EXISTS (SELECT 1 FROM unnest(h.writers) writer (id)
          WHERE author.person IN (SELECT people_behind(writer.id, h.assigned_at, h.ended_at)))
        OR EXISTS (SELECT 1 FROM task_contributions k
          WHERE k.task_id = task AND k.created_at BETWEEN h.assigned_at AND h.ended_at
            AND author.person IN (SELECT people_behind(k.resource_id, k.created_at, k.created_at)))) $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION task_authors(task text, assignee text, conditions jsonb) RETURNS SETOF text
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
        UNION SELECT assignment_authors(task) $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.task_authors(task text, assignee text, conditions jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public'
AS $function$
    SELECT DISTINCT author.person FROM (
      SELECT own.creator_id AS resource, own.created_at AS since, own.created_at AS until FROM tasks own WHERE own.id = task
      UNION ALL SELECT own.imported_by, '-infinity', 'infinity' FROM tasks own
        WHERE own.id = task AND own.imported_by IS NOT NULL
      UNION ALL SELECT assignee, now(), 'infinity' WHERE assignee IS NOT NULL
      UNION ALL SELECT member.resource_id, now(), 'infinity' FROM team_members member WHERE member.team_id = assignee
      UNION ALL SELECT who.person, h.assigned_at, coalesce(h.ended_at, 'infinity') FROM task_assignments h, LATERAL (
          SELECT h.assignee_id AS person
          UNION SELECT m.resource_id FROM team_memberships m WHERE m.team_id = h.assignee_id
            AND m.joined_at <= coalesce(h.ended_at, 'infinity') AND coalesce(m.left_at, 'infinity') >= h.assigned_at) who
        WHERE h.task_id = task AND (h.ended_at IS NULL OR (SELECT coalesce(sum(
    least(coalesce(s.left_at, 'infinity'), h.ended_at) - greatest(s.entered_at, h.assigned_at)), interval '0')
  FROM task_statuses s WHERE s.task_id = h.task_id AND s.status = 'active' AND NOT s.imported
    AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at) >= interval '1 hour'
          OR EXISTS (SELECT people_behind(who.person, h.assigned_at, h.ended_at)
    INTERSECT SELECT people_behind(h.assigned_by, h.assigned_at, h.ended_at)) OR EXISTS (SELECT people_behind(who.person, h.assigned_at, h.ended_at)
    INTERSECT SELECT people_behind(h.ended_by, h.assigned_at, h.ended_at))
          OR EXISTS (SELECT 1 FROM (SELECT unnest(h.writers) AS id
              UNION SELECT k.resource_id FROM task_contributions k
                WHERE k.task_id = h.task_id AND k.created_at BETWEEN h.assigned_at AND h.ended_at) writer
            WHERE EXISTS (SELECT people_behind(who.person, h.assigned_at, h.ended_at)
    INTERSECT SELECT people_behind(writer.id, h.assigned_at, h.ended_at))))
      UNION ALL (SELECT c.value->>'by', (c.value->>'at')::timestamptz, (c.value->>'at')::timestamptz
        FROM tasks own, jsonb_each(own.content_changes) c
        WHERE own.id = task AND c.key = ANY(approved_parts(conditions))
        ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) acted,
      LATERAL people_behind(acted.resource, acted.since, acted.until) author (person)
    WHERE acted.resource IS NOT NULL $function$`);
    await runner.query(`DROP FUNCTION assignment_authors`);
    await runner.query(`CREATE OR REPLACE FUNCTION public.keep_task_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   DECLARE stays boolean := TG_OP = 'UPDATE' AND NEW.assignee_id IS NOT DISTINCT FROM OLD.assignee_id;
   BEGIN
     IF TG_OP = 'INSERT' THEN
       INSERT INTO task_assignments (task_id, assignee_id, assigned_by) VALUES (NEW.id, NEW.assignee_id, NEW.creator_id);
       RETURN NULL;
     END IF;
     IF NEW.updated_by IS NOT NULL AND ((NEW.title, NEW.description, NEW.metadata, NEW.estimate, NEW.attested_at) IS DISTINCT FROM
    (OLD.title, OLD.description, OLD.metadata, OLD.estimate, OLD.attested_at)
  OR (NEW.actual IS DISTINCT FROM OLD.actual AND NOT (OLD.actual IS NULL AND OLD.status <> 'done' AND NEW.status = 'done'))) THEN
       UPDATE task_assignments SET writers = writers || NEW.updated_by
       WHERE task_id = NEW.id AND ended_at IS NULL AND NEW.updated_by <> ALL (writers);
     END IF;
     IF stays THEN RETURN NULL; END IF;
     UPDATE task_assignments SET ended_at = clock_timestamp(), ended_by = NEW.updated_by
     WHERE task_id = NEW.id AND ended_at IS NULL;
     IF NEW.assignee_id IS NOT NULL THEN
       INSERT INTO task_assignments (task_id, assignee_id, assigned_by) VALUES (NEW.id, NEW.assignee_id, NEW.updated_by);
     END IF;
     RETURN NULL;
   END $function$`);
    await runner.query(`DROP FUNCTION person_at`);
  }
}
