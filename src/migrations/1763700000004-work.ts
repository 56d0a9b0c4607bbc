import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Demands, tasks and how long tasks stay in each status. */
export class Work1763700000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE demands (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        type text NOT NULL,
        title text NOT NULL,
        description text,
        status text NOT NULL DEFAULT 'open',
        priority text NOT NULL DEFAULT 'medium',
        endeavour_id text NOT NULL,
        creator_id text NOT NULL,
        owner_id text NOT NULL,
        due_date timestamptz(3),
        fulfilled_at timestamptz(3),
        canceled_at timestamptz(3),
        canceled_reason text,
        metadata jsonb NOT NULL DEFAULT '{}',
        words tsvector,
        CONSTRAINT demands_id_endeavour_id_key UNIQUE (id, endeavour_id),
        CONSTRAINT demands_canceled_reason_check CHECK ((status = 'canceled') = (canceled_reason IS NOT NULL)),
        CONSTRAINT demands_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT demands_title_check CHECK (char_length(title) BETWEEN 1 AND 500),
        CONSTRAINT demands_type_check CHECK (type ~ '^[a-z][a-z0-9_-]{0,99}$'),
        CONSTRAINT demands_priority_check CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
        CONSTRAINT demands_status_check CHECK (status IN ('open', 'in_progress', 'fulfilled', 'canceled')),
        CONSTRAINT demands_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE tasks (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        title text NOT NULL,
        description text,
        status text NOT NULL DEFAULT 'planned',
        endeavour_id text NOT NULL,
        demand_id text,
        assignee_id text,
        owner_id text NOT NULL,
        creator_id text NOT NULL,
        estimate double precision,
        actual double precision,
        due_date timestamptz(3),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        canceled_at timestamptz(3),
        canceled_reason text,
        dod_overridden_at timestamptz(3),
        dod_overridden_by text,
        dod_override_reason text,
        attested_at timestamptz(3),
        attested_by text,
        metadata jsonb NOT NULL DEFAULT '{}',
        words tsvector,
        CONSTRAINT tasks_canceled_reason_check CHECK ((status = 'canceled') = (canceled_reason IS NOT NULL)),
        CONSTRAINT tasks_completed_at_check CHECK ((status = 'done') = (completed_at IS NOT NULL)),
        CONSTRAINT tasks_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT tasks_actual_check CHECK (actual BETWEEN 0 AND 1000000000),
        CONSTRAINT tasks_estimate_check CHECK (estimate BETWEEN 0 AND 1000000000),
        CONSTRAINT tasks_title_check CHECK (char_length(title) BETWEEN 1 AND 500),
        CONSTRAINT tasks_status_check CHECK (status IN ('planned', 'active', 'done', 'canceled')),
        CONSTRAINT tasks_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE task_statuses (
        id bigserial NOT NULL,
        task_id text NOT NULL,
        status text NOT NULL,
        entered_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        left_at timestamptz(3),
        CONSTRAINT task_statuses_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX demands_owner_id_idx ON demands (owner_id)`,
      `CREATE INDEX demands_endeavour_id_created_at_id_idx ON demands (endeavour_id, created_at, id)`,
      `CREATE INDEX demands_endeavour_id_status_created_at_id_idx ON demands (endeavour_id, status, created_at, id)`,
      `CREATE INDEX task_statuses_task_id_entered_at_idx ON task_statuses (task_id, entered_at)`,
      `CREATE INDEX tasks_created_at_id_idx ON tasks (created_at, id)`,
      `CREATE INDEX tasks_creator_id_idx ON tasks (creator_id)`,
      `CREATE INDEX tasks_owner_id_idx ON tasks (owner_id)`,
      `CREATE INDEX tasks_demand_id_status_idx ON tasks (demand_id, status)`,
      `CREATE INDEX tasks_assignee_id_status_created_at_id_idx ON tasks (assignee_id, status, created_at, id)`,
      `CREATE INDEX tasks_endeavour_id_created_at_id_idx ON tasks (endeavour_id, created_at, id)`,
      `CREATE INDEX tasks_endeavour_id_status_created_at_id_idx ON tasks (endeavour_id, status, created_at, id)`,
      `ALTER TABLE demands ADD CONSTRAINT demands_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE demands ADD CONSTRAINT demands_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE demands ADD CONSTRAINT demands_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES resources(id)`,
      `ALTER TABLE demands ADD CONSTRAINT demands_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES resources(id)`,
      `ALTER TABLE task_statuses ADD CONSTRAINT task_statuses_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_dod_overridden_by_fkey FOREIGN KEY (dod_overridden_by) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_attested_by_fkey FOREIGN KEY (attested_by) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_demand_id_endeavour_id_fkey FOREIGN KEY (demand_id, endeavour_id) REFERENCES demands (id, endeavour_id)`,
      `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
      `CREATE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.words := setweight(to_tsvector('english', NEW.title), 'A')
               || setweight(to_tsvector('english', coalesce(NEW.description, '')), 'B');
     RETURN NEW;
   END $$`,
      `CREATE TRIGGER demands_keep_words BEFORE INSERT OR UPDATE OF title, description ON demands FOR EACH ROW EXECUTE FUNCTION keep_words()`,
      `CREATE TRIGGER tasks_keep_words BEFORE INSERT OR UPDATE OF title, description ON tasks FOR EACH ROW EXECUTE FUNCTION keep_words()`,
      `CREATE INDEX demands_words_idx ON demands USING gin (words)`,
      `CREATE INDEX tasks_words_idx ON tasks USING gin (words)`,
      `CREATE INDEX demands_title_trigram_idx ON demands USING gin (title gin_trgm_ops)`,
      `CREATE INDEX tasks_title_trigram_idx ON tasks USING gin (title gin_trgm_ops)`,
      `CREATE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'UPDATE' THEN
       IF NEW.status = OLD.status THEN RETURN NULL; END IF;
       UPDATE task_statuses SET left_at = clock_timestamp() WHERE task_id = NEW.id AND left_at IS NULL;
     END IF;
     INSERT INTO task_statuses (task_id, status) VALUES (NEW.id, NEW.status);
     RETURN NULL;
   END $$`,
      `CREATE TRIGGER tasks_keep_status AFTER INSERT OR UPDATE OF status ON tasks FOR EACH ROW EXECUTE FUNCTION keep_task_status()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE task_statuses, tasks, demands CASCADE`,
      `DROP FUNCTION keep_task_status`,
      `DROP FUNCTION keep_words`,
    ]) {
      await runner.query(statement);
    }
  }
}
