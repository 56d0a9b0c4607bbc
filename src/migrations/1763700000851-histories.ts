import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPROVED = ['tasks', 'demands', 'endeavours', 'artifacts', 'rituals', 'dod_policies'];

/** The columns of each kind that an approval covers; metadata of a task are compared by key. */
const CONTENT: Record<string, string[]> = {
  tasks: ['title', 'description'],
  demands: ['title', 'description', 'priority'],
  endeavours: ['name', 'description'],
  artifacts: ['kind', 'title', 'url', 'summary'],
  rituals: ['name', 'description', 'prompt', 'schedule'],
  dod_policies: ['name', 'description'],
};

/**
 * Records permanently who was assigned a task and by whom, who was in a team, and who changed approved content, so that
 * members cannot review their own work by leaving it first. Written by triggers, because many operations assign, move
 * and end work.
 */
export class Histories1763700000851 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...WRITERS, ...ASSIGNMENTS, ...TEAMS, ...CONTENTS, ...APPROVALS]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER approvals_immutable ON approvals`,
      `ALTER TABLE approvals ADD COLUMN content_hash text NOT NULL DEFAULT '', DROP COLUMN role_held, DROP COLUMN was_member,
        DROP COLUMN was_author, DROP COLUMN dismissed_at, DROP COLUMN dismissed_by, DROP COLUMN dismissed_reason`,
      `CREATE TRIGGER approvals_immutable BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approval()`,
      `DROP TRIGGER tasks_lapse_votes_on_content ON tasks`,
      `DROP TRIGGER demands_lapse_votes_on_content ON demands`,
      `DROP FUNCTION lapse_votes_on_content`,
      `DROP TRIGGER tasks_keep_metadata_changes ON tasks`,
      `DROP FUNCTION keep_metadata_changes`,
      ...APPROVED.map((table) => `DROP TRIGGER ${table}_keep_content_changes ON ${table}`),
      `DROP FUNCTION keep_content_changes`,
      `DROP FUNCTION approved_parts`,
      `DROP FUNCTION approved_value`,
      `DROP TRIGGER team_members_keep_history ON team_members`,
      `DROP FUNCTION keep_team_membership`,
      `DROP TABLE team_memberships`,
      `DROP TRIGGER tasks_keep_first_assignment ON tasks`,
      `DROP TRIGGER tasks_keep_assignments ON tasks`,
      `DROP FUNCTION keep_task_assignment`,
      `DROP TABLE task_assignments`,
      ...APPROVED.map((table) => `ALTER TABLE ${table} DROP COLUMN updated_by, DROP COLUMN content_changes`),
    ]) {
      await runner.query(statement);
    }
  }
}

const WRITERS = APPROVED.map(
  (table) => `ALTER TABLE ${table} ADD COLUMN updated_by text, ADD COLUMN content_changes jsonb NOT NULL DEFAULT '{}'`,
);

const ASSIGNMENTS = [
  `CREATE TABLE task_assignments (
    id bigserial NOT NULL,
    task_id text NOT NULL,
    assignee_id text NOT NULL,
    assigned_by text,
    assigned_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    ended_by text,
    ended_at timestamptz(3),
    writers text[] NOT NULL DEFAULT '{}',
    CONSTRAINT task_assignments_pkey PRIMARY KEY (id),
    CONSTRAINT task_assignments_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE,
    CONSTRAINT task_assignments_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES resources(id)
  )`,
  `CREATE INDEX task_assignments_task_id_assigned_at_idx ON task_assignments (task_id, assigned_at)`,
  `CREATE UNIQUE INDEX task_assignments_task_id_idx ON task_assignments (task_id) WHERE ended_at IS NULL`,
  // Reconstructs former assignments from the events.
  `WITH handed_over AS (
     SELECT v.entity_id AS task_id, v.sequence, v.occurred_at, v.actor_id, v.previous->>'assignee_id' AS former,
       lag(v.occurred_at) OVER (PARTITION BY v.entity_id ORDER BY v.sequence) AS since,
       lag(v.actor_id) OVER (PARTITION BY v.entity_id ORDER BY v.sequence) AS given_by
     FROM events v JOIN tasks t ON t.id = v.entity_id WHERE 'assignee_id' = ANY(v.changed))
   INSERT INTO task_assignments (task_id, assignee_id, assigned_by, assigned_at, ended_by, ended_at, writers)
   SELECT t.id, h.former, coalesce(h.given_by, t.creator_id), coalesce(h.since, t.created_at), h.actor_id, h.occurred_at,
     ARRAY(SELECT DISTINCT w.actor_id FROM events w WHERE w.entity_id = t.id AND w.actor_id IS NOT NULL
       AND w.occurred_at BETWEEN coalesce(h.since, t.created_at) AND h.occurred_at)
   FROM handed_over h JOIN tasks t ON t.id = h.task_id JOIN resources r ON r.id = h.former
   ORDER BY h.sequence`,
  `INSERT INTO task_assignments (task_id, assignee_id, assigned_by, assigned_at)
   SELECT t.id, t.assignee_id, coalesce(h.actor_id, t.creator_id), coalesce(h.occurred_at, t.created_at)
   FROM tasks t LEFT JOIN LATERAL (SELECT v.actor_id, v.occurred_at FROM events v
     WHERE v.entity_id = t.id AND 'assignee_id' = ANY(v.changed) ORDER BY v.sequence DESC LIMIT 1) h ON true
   WHERE t.assignee_id IS NOT NULL`,
  `CREATE FUNCTION keep_task_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE stays boolean := TG_OP = 'UPDATE' AND NEW.assignee_id IS NOT DISTINCT FROM OLD.assignee_id;
   BEGIN
     IF TG_OP = 'INSERT' THEN
       INSERT INTO task_assignments (task_id, assignee_id, assigned_by) VALUES (NEW.id, NEW.assignee_id, NEW.creator_id);
       RETURN NULL;
     END IF;
     -- Handing the task over is not yet work on it.
     IF NEW.updated_by IS NOT NULL AND (stays OR (NEW.title, NEW.description, NEW.metadata, NEW.status, NEW.endeavour_id,
         NEW.demand_id, NEW.owner_id, NEW.estimate, NEW.actual, NEW.due_date) IS DISTINCT FROM
        (OLD.title, OLD.description, OLD.metadata, OLD.status, OLD.endeavour_id,
         OLD.demand_id, OLD.owner_id, OLD.estimate, OLD.actual, OLD.due_date)) THEN
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
   END $$`,
  `CREATE TRIGGER tasks_keep_first_assignment AFTER INSERT ON tasks FOR EACH ROW
     WHEN (NEW.assignee_id IS NOT NULL) EXECUTE FUNCTION keep_task_assignment()`,
  `CREATE TRIGGER tasks_keep_assignments AFTER UPDATE ON tasks FOR EACH ROW
     WHEN (OLD.assignee_id IS NOT NULL OR NEW.assignee_id IS NOT NULL) EXECUTE FUNCTION keep_task_assignment()`,
];

const TEAMS = [
  `CREATE TABLE team_memberships (
    id bigserial NOT NULL,
    team_id text NOT NULL,
    resource_id text NOT NULL,
    joined_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    left_at timestamptz(3),
    CONSTRAINT team_memberships_pkey PRIMARY KEY (id),
    CONSTRAINT team_memberships_team_id_fkey FOREIGN KEY (team_id) REFERENCES resources(id) ON DELETE CASCADE,
    CONSTRAINT team_memberships_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id) ON DELETE CASCADE
  )`,
  `CREATE INDEX team_memberships_team_id_resource_id_idx ON team_memberships (team_id, resource_id)`,
  `INSERT INTO team_memberships (team_id, resource_id, joined_at) SELECT team_id, resource_id, joined_at FROM team_members`,
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
  `CREATE TRIGGER team_members_keep_history AFTER INSERT OR DELETE ON team_members
     FOR EACH ROW EXECUTE FUNCTION keep_team_membership()`,
];

const values = (row: string, columns: readonly string[]): string => `(${columns.map((c) => `${row}.${c}`).join(', ')})`;
const titles = (row: string): string => `jsonb_path_query_array(${row}.goals, '$[*].title')`;

const CONTENTS = [
  `-- The parts of a task that an approval covers under these conditions: '' for title and description, and
   -- "metadata." with a key.
   CREATE FUNCTION approved_parts(conditions jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
     SELECT coalesce(array_agg('metadata.' || looked_at.key) || ARRAY['metadata.*'], '{}') || ARRAY['']
     FROM (SELECT DISTINCT CASE WHEN c->>'type' = 'checklist_complete' THEN 'checklist'
             ELSE regexp_replace(c->'params'->>'field', '^metadata\\.', '') END AS key
           FROM jsonb_array_elements(coalesce(conditions, '[]')) c
           WHERE c->>'type' IN ('checklist_complete', 'field_populated')) looked_at
     WHERE looked_at.key IS NOT NULL $$`,
  `-- An approval of a checklist covers its texts, not which items are checked.
   CREATE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
     SELECT CASE WHEN key = 'checklist' AND jsonb_typeof(value) = 'array' THEN
       (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
          THEN item - '{checked,checked_at,checked_by}'::text[] ELSE item END), '[]')
        FROM jsonb_array_elements(value) item)
     ELSE value END $$`,
  `CREATE FUNCTION keep_content_changes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.content_changes := NEW.content_changes || jsonb_build_object('', jsonb_build_object(
       'revision', NEW.revision, 'by', NEW.updated_by, 'at', clock_timestamp()));
     RETURN NEW;
   END $$`,
  ...APPROVED.map((table) => {
    const [before, after] = ['OLD', 'NEW'].map((row) =>
      table === 'endeavours' ? `(${row}.name, ${row}.description, ${titles(row)})` : values(row, CONTENT[table]),
    );
    return `CREATE TRIGGER ${table}_keep_content_changes BEFORE UPDATE ON ${table} FOR EACH ROW
      WHEN (${before} IS DISTINCT FROM ${after}) EXECUTE FUNCTION keep_content_changes()`;
  }),
  `-- Records changes by metadata key; of more than 100 keys, only that some of them changed.
   CREATE FUNCTION keep_metadata_changes() RETURNS trigger LANGUAGE plpgsql AS $$
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
  `CREATE TRIGGER tasks_keep_metadata_changes BEFORE UPDATE ON tasks FOR EACH ROW
     WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION keep_metadata_changes()`,
  `-- Ends the votes on a task or demand when the content that they cover changes.
   CREATE FUNCTION lapse_votes_on_content() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE quorum_votes v SET lapsed_at = clock_timestamp() WHERE v.entity_id = NEW.id AND v.lapsed_at IS NULL
       AND EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
         WHERE (c.value->>'revision')::integer = NEW.revision AND c.key = ANY(approved_parts(
           (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = NEW.endeavour_id))));
     RETURN NULL;
   END $$`,
  ...['tasks', 'demands'].map(
    (table) => `CREATE TRIGGER ${table}_lapse_votes_on_content AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes) EXECUTE FUNCTION lapse_votes_on_content()`,
  ),
];

/** By kind: the columns that the former content hash of approvals covered. */
const HASHED: Record<string, string> = {
  task: 'own.title, own.description, own.due_date, own.estimate',
  demand: 'own.title, own.description, own.due_date, own.priority',
  endeavour: `own.name, own.description, (SELECT jsonb_agg(goal -> 'title') FROM jsonb_array_elements(own.goals) goal),
    own.start_date, own.end_date`,
  artifact: 'own.kind, own.title, own.url, own.summary',
  ritual: 'own.name, own.description, own.prompt, own.schedule',
  dod_policy: 'own.name, own.description, own.conditions, own.strictness, own.quorum',
};
const TABLES: Record<string, string> = {
  task: 'tasks',
  demand: 'demands',
  endeavour: 'endeavours',
  artifact: 'artifacts',
  ritual: 'rituals',
  dod_policy: 'dod_policies',
};

const APPROVALS = [
  // Approvals of content that has changed since stay stale.
  ...Object.entries(TABLES).map(
    ([kind, table]) => `UPDATE ${table} own SET content_changes = jsonb_build_object('', jsonb_build_object(
        'revision', stale.revision + 1, 'by', NULL, 'at', own.updated_at))
      FROM (SELECT a.entity_id, max(a.entity_revision) AS revision FROM approvals a JOIN ${table} own ON own.id = a.entity_id
            WHERE a.entity_type = '${kind}' AND a.content_hash <>
              encode(sha256(convert_to(jsonb_build_array(${HASHED[kind]})::text, 'UTF8')), 'hex')
            GROUP BY a.entity_id) stale
      WHERE own.id = stale.entity_id`,
  ),
  `DROP TRIGGER approvals_immutable ON approvals`,
  `ALTER TABLE approvals DROP COLUMN content_hash,
    ADD COLUMN role_held boolean,
    ADD COLUMN was_member boolean NOT NULL DEFAULT true,
    ADD COLUMN was_author boolean NOT NULL DEFAULT false,
    ADD COLUMN dismissed_at timestamptz(3),
    ADD COLUMN dismissed_by text,
    ADD COLUMN dismissed_reason text`,
  `UPDATE approvals a SET role_held = CASE WHEN a.role IS NOT NULL THEN true END,
     was_author = a.entity_type = 'task' AND EXISTS (SELECT 1 FROM tasks t WHERE t.id = a.entity_id AND (
       t.creator_id = a.approver_id OR EXISTS (SELECT 1 FROM task_assignments h WHERE h.task_id = t.id
         AND h.assignee_id = a.approver_id AND h.assigned_at <= a.created_at)))`,
  `ALTER TABLE approvals
    ADD CONSTRAINT approvals_role_held_check CHECK ((role IS NULL) = (role_held IS NULL)),
    ADD CONSTRAINT approvals_dismissed_by_check CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL)),
    ADD CONSTRAINT approvals_dismissed_at_check CHECK (dismissed_at IS NULL OR verdict = 'rejected'),
    ADD CONSTRAINT approvals_dismissed_by_fkey FOREIGN KEY (dismissed_by) REFERENCES resources(id)`,
  `-- Rejects changes of an approval, except that a newer one supersedes it, a rejection is dismissed, or it is erased.
   CREATE OR REPLACE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE changes text[] := '{is_current,dismissed_at,dismissed_by,dismissed_reason}';
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
  `CREATE TRIGGER approvals_immutable BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approval()`,
];
