import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WritersOfAgents1763700003730 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
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
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION assignment_authors(task text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
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
            AND author.person IN (SELECT people_behind(k.resource_id, k.created_at, k.created_at)))) $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.assignment_authors(task text)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
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
            AND author.person IN (SELECT people_behind(k.resource_id, k.created_at, k.created_at)))) $function$`);
    await runner.query(`CREATE OR REPLACE FUNCTION public.keep_task_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      END $function$`);
  }
}
