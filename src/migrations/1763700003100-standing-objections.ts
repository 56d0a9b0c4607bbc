import type { MigrationInterface, QueryRunner } from 'typeorm';

const keepApproval = (
  columns: string,
): string => `CREATE OR REPLACE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changes text[] := '{${columns}}';
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
  END $$`;

const BEFORE = 'is_current,dismissed_at,dismissed_by,dismissed_reason,ended_by';
const STANDING = 'given_in,held_roles,kept_roles,lifted_at,ended_by_author';

const rankIn = (user: string): string =>
  `coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = endeavour AND g.user_id = ${user}), 0)`;

const ROLES_HELD = `-- The roles of a user in an endeavour, built-in ones first; those of an agent are at most its manager's.
  CREATE FUNCTION roles_held(person text, endeavour text) RETURNS text[] LANGUAGE sql STABLE SET search_path = public AS $$
    SELECT ('{viewer,member,admin,owner}'::text[])[1:(CASE
        WHEN u.manager_id IS NULL OR EXISTS (SELECT 1 FROM users m WHERE m.id = u.manager_id AND m.is_admin)
        THEN ${rankIn('u.id')} ELSE least(${rankIn('u.id')}, ${rankIn('u.manager_id')}) END)::integer]
      || coalesce((SELECT s.stakeholder_roles FROM endeavour_members s
        WHERE s.endeavour_id = endeavour AND s.user_id = u.id), '{}')
    FROM users u WHERE u.id = person $$`;

const IS_OBJECTION = `a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
  AND a.lifted_at IS NULL`;

const timeActive = `(SELECT coalesce(sum(
    least(coalesce(s.left_at, 'infinity'), h.ended_at) - greatest(s.entered_at, h.assigned_at)), interval '0')
  FROM task_statuses s WHERE s.task_id = h.task_id AND s.status = 'active' AND NOT s.imported
    AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at)`;

const isSamePerson = (other: string): string =>
  `EXISTS (SELECT people_behind(who.person, h.assigned_at, h.ended_at)
    INTERSECT SELECT people_behind(${other}, h.assigned_at, h.ended_at))`;

const TASK_AUTHORS = `-- The authors of a task (see the view of the same name), one per row: its creator and importer, everyone who was ever
  -- assigned to it, and who changed the approved content last. An assignment by another person does not count if it has
  -- ended, lasted less than an hour in active, and the assignee did not write to the task.
  CREATE FUNCTION task_authors(task text, assignee text, conditions jsonb) RETURNS SETOF text
  LANGUAGE sql STABLE SET search_path = public AS $$
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
        WHERE h.task_id = task AND (h.ended_at IS NULL OR ${timeActive} >= interval '1 hour'
          OR ${isSamePerson('h.assigned_by')} OR ${isSamePerson('h.ended_by')}
          OR EXISTS (SELECT 1 FROM (SELECT unnest(h.writers) AS id
              UNION SELECT k.resource_id FROM task_contributions k
                WHERE k.task_id = h.task_id AND k.created_at BETWEEN h.assigned_at AND h.ended_at) writer
            WHERE ${isSamePerson('writer.id')}))
      UNION ALL (SELECT c.value->>'by', (c.value->>'at')::timestamptz, (c.value->>'at')::timestamptz
        FROM tasks own, jsonb_each(own.content_changes) c
        WHERE own.id = task AND c.key = ANY(approved_parts(conditions))
        ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) acted,
      LATERAL people_behind(acted.resource, acted.since, acted.until) author (person)
    WHERE acted.resource IS NOT NULL $$`;

const IS_TASK_AUTHOR = `-- Whether the person behind a resource is now an author of the task, by the policy in force in an endeavour.
  CREATE FUNCTION is_task_author(task text, endeavour text, resource text) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = public AS $$
    SELECT EXISTS (SELECT 1 FROM tasks t LEFT JOIN endeavours e ON e.id = endeavour
        LEFT JOIN dod_policies p ON p.id = e.dod_policy_id,
        LATERAL task_authors(t.id, t.assignee_id, p.conditions) author (person)
      WHERE t.id = task AND author.person = person_behind(resource)) $$`;

const STORE_STANDING = `-- Stores with a verdict where and with which roles it is given. A rejection given again counts as the one before it.
  CREATE FUNCTION store_standing() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
  DECLARE earlier record;
  BEGIN
    NEW.given_in := (SELECT t.endeavour_id FROM tasks t WHERE t.id = NEW.entity_id);
    IF NEW.verdict = 'approved' THEN RETURN NEW; END IF;
    NEW.held_roles := coalesce(roles_held((SELECT u.id FROM users u WHERE u.resource_id = NEW.approver_id), NEW.given_in), '{}');
    SELECT a.verdict, a.kept_roles, a.was_member, a.was_author INTO earlier FROM approvals a
      WHERE a.entity_id = NEW.entity_id AND a.approver_id = NEW.approver_id
        AND a.dismissed_at IS NULL AND a.lifted_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM approvals later WHERE later.entity_id = a.entity_id AND later.approver_id = a.approver_id
            AND (later.created_at, later.id) > (a.created_at, a.id));
    IF earlier.verdict IN ('rejected', 'needs_work') THEN
      NEW.kept_roles := earlier.kept_roles;
      IF earlier.verdict = NEW.verdict AND earlier.was_member THEN
        NEW.was_author := NEW.was_author AND earlier.was_author;
        NEW.was_member := true;
      END IF;
    END IF;
    RETURN NEW;
  END $$`;

const KEEP_OBJECTIONS = `-- Notes what the givers of rejections and of needs_work have lost: those of a user and their agents, or of an endeavour.
  -- A verdict is lifted with the membership in which it was given, and counts no more for a role that was lost, unless an
  -- author of the task took it.
  CREATE FUNCTION keep_objections(person text, endeavour text) RETURNS void LANGUAGE plpgsql SET search_path = public AS $$
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
          SELECT a.id FROM approvals a WHERE person IS NULL AND a.given_in = endeavour AND ${IS_OBJECTION}
          UNION ALL SELECT a.id FROM users u JOIN approvals a ON a.approver_id = u.resource_id
            WHERE (u.id = person OR u.manager_id = person) AND ${IS_OBJECTION}
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
  END $$`;

const RECORD_ENDED = `CREATE OR REPLACE FUNCTION record_ended_rejecters() RETURNS trigger LANGUAGE plpgsql
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
  END $$`;

const RECORD_CLOSED = `-- Judges whether an account was closed by an author of what its person has rejected; the memberships end later.
  CREATE FUNCTION record_closed_rejecters() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
  DECLARE closer text := (SELECT c.resource_id FROM users c WHERE c.id = NEW.closed_by);
  BEGIN
    UPDATE approvals a SET ended_by = closer, ended_by_author = is_task_author(a.entity_id, t.endeavour_id, closer)
    FROM tasks t, users u
    WHERE t.id = a.entity_id AND u.resource_id = a.approver_id AND (u.id = NEW.id OR u.manager_id = NEW.id)
      AND ${IS_OBJECTION};
    RETURN NULL;
  END $$`;

const hasRole = (user: string): string =>
  `EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = own.endeavour_id AND g.user_id = ${user})`;

const IS_OUT = `(NOT ${hasRole('u.id')} OR (u.manager_id IS NOT NULL AND NOT ${hasRole('u.manager_id')}
  AND NOT EXISTS (SELECT 1 FROM users m WHERE m.id = u.manager_id AND m.is_admin)))`;

const recordBefore = (scope: string): string => `
  IF TG_OP <> 'INSERT' THEN
    UPDATE approvals a SET ended_by = actor FROM users u, entities own WHERE u.resource_id = a.approver_id AND own.id = a.id
      AND own.kind = 'approval' AND a.verdict = 'rejected' AND a.is_current AND a.dismissed_at IS NULL
      AND a.ended_by IS NULL AND ${scope} AND ${IS_OUT};
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE approvals a SET ended_by = NULL FROM users u, entities own WHERE u.resource_id = a.approver_id AND own.id = a.id
      AND own.kind = 'approval' AND a.verdict = 'rejected' AND a.is_current AND a.dismissed_at IS NULL
      AND a.ended_by IS NOT NULL AND ${scope} AND NOT ${IS_OUT};
  END IF`;

const RECORD_BEFORE = `CREATE OR REPLACE FUNCTION record_ended_rejecters() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    actor text := nullif(current_setting('worksmith.actor', true), '');
    link jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  BEGIN
    IF TG_TABLE_NAME = 'organization_endeavours' THEN
      ${recordBefore(`own.endeavour_id = link->>'endeavour_id'`)};
    ELSE
      ${recordBefore(`(u.id = link->>'user_id' OR u.manager_id = link->>'user_id')`)};
    END IF;
    RETURN NULL;
  END $$`;

const ROWS = ['endeavour_members', 'organization_resources', 'organization_endeavours'];

/** Deferred, so that what a transaction takes and gives back is not lost. */
const ENDS = [
  ...ROWS.map((table) => [table, 'INSERT OR UPDATE OR DELETE', 'true']),
  ['users', 'UPDATE', '((OLD.manager_id, OLD.is_admin) IS DISTINCT FROM (NEW.manager_id, NEW.is_admin))'],
].map(
  ([table, events, condition]) => `CREATE CONSTRAINT TRIGGER ${table}_end_rejecters AFTER ${events} ON ${table}
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION record_ended_rejecters()`,
);

const deletedEdge = (
  columns: string,
  author: string,
): string => `CREATE OR REPLACE FUNCTION record_deleted_edge() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO lost_edges (relation_id, lost_by, by_admin${columns})
    SELECT NEW.id, NEW.deleted_by, NEW.deleted_by_admin${author} FROM tasks s JOIN tasks t ON t.endeavour_id = s.endeavour_id
    WHERE s.id = NEW.source_entity_id AND t.id = NEW.target_entity_id;
    RETURN NULL;
  END $$`;

const partedEdges = (
  columns: string,
  author: string,
): string => `CREATE OR REPLACE FUNCTION record_parted_edges() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO lost_edges (relation_id, lost_by, by_admin${columns})
    SELECT l.id, NEW.updated_by, true${author} FROM (
        SELECT r.*, r.target_entity_id AS other FROM relations r WHERE r.source_entity_id = NEW.id
        UNION ALL SELECT r.*, r.source_entity_id FROM relations r WHERE r.target_entity_id = NEW.id) l
      JOIN tasks o ON o.id = l.other
    WHERE l.deleted_at IS NULL AND l.relationship_type IN ('parent_of', 'depends_on', 'blocks')
      AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND o.endeavour_id = OLD.endeavour_id;
    RETURN NULL;
  END $$`;

/** SQL: the task that the edge keeps open: the parent, or the one that waits. */
const keptOpen = (edge: string): string =>
  `CASE ${edge}.relationship_type WHEN 'blocks' THEN ${edge}.target_entity_id ELSE ${edge}.source_entity_id END`;

/**
 * Stores with a rejection or needs_work where it was given, what its giver has lost since, and whether an author of the
 * task took it; with an edge that was deleted or parted, whether an author did. Who is an author is decided at the act: it
 * can be another person by the time of a check. Verdicts of both releases get what they need from a trigger.
 */
export class StandingObjections1763700003100 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE approvals ADD COLUMN given_in text,
         ADD COLUMN held_roles text[],
         ADD COLUMN kept_roles text[],
         ADD COLUMN lifted_at timestamptz(3),
         ADD COLUMN ended_by_author boolean`,
      `ALTER TABLE lost_edges ADD COLUMN by_author boolean`,
      keepApproval(`${BEFORE},${STANDING}`),
      ROLES_HELD,
      TASK_AUTHORS,
      IS_TASK_AUTHOR,
      STORE_STANDING,
      `CREATE TRIGGER approvals_store_standing BEFORE INSERT ON approvals FOR EACH ROW
         WHEN (NEW.entity_type = 'task') EXECUTE FUNCTION store_standing()`,
      KEEP_OBJECTIONS,
      RECORD_ENDED,
      ...ROWS.map((table) => `DROP TRIGGER ${table}_end_rejecters ON ${table}`),
      ...ENDS,
      RECORD_CLOSED,
      `CREATE TRIGGER users_close_rejecters AFTER UPDATE OF closed_by ON users FOR EACH ROW
         WHEN (NEW.closed_by IS NOT NULL) EXECUTE FUNCTION record_closed_rejecters()`,
      deletedEdge(', by_author', `, is_task_author(${keptOpen('NEW')}, s.endeavour_id, NEW.deleted_by)`),
      partedEdges(', by_author', `, is_task_author(${keptOpen('l')}, OLD.endeavour_id, NEW.updated_by)`),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      partedEdges('', ''),
      deletedEdge('', ''),
      `DROP TRIGGER users_close_rejecters ON users`,
      `DROP FUNCTION record_closed_rejecters`,
      ...[...ROWS, 'users'].map((table) => `DROP TRIGGER ${table}_end_rejecters ON ${table}`),
      RECORD_BEFORE,
      ...ROWS.map(
        (table) => `CREATE TRIGGER ${table}_end_rejecters AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION record_ended_rejecters()`,
      ),
      `DROP FUNCTION keep_objections`,
      `DROP TRIGGER approvals_store_standing ON approvals`,
      `DROP FUNCTION store_standing`,
      `DROP FUNCTION is_task_author`,
      `DROP FUNCTION task_authors`,
      `DROP FUNCTION roles_held`,
      keepApproval(BEFORE),
      `ALTER TABLE lost_edges DROP COLUMN by_author`,
      `ALTER TABLE approvals DROP COLUMN given_in, DROP COLUMN held_roles, DROP COLUMN kept_roles, DROP COLUMN lifted_at,
         DROP COLUMN ended_by_author`,
    ]) {
      await runner.query(statement);
    }
  }
}
