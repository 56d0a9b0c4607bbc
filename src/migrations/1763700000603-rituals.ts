import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rituals, their versions and their runs. */
export class Rituals1763700000603 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE rituals (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        version integer NOT NULL DEFAULT 1,
        predecessor_id text,
        lineage_id text NOT NULL,
        origin text NOT NULL DEFAULT 'custom',
        name text NOT NULL,
        description text,
        prompt text,
        schedule jsonb NOT NULL DEFAULT '{"type": "manual"}',
        is_enabled boolean NOT NULL DEFAULT true,
        lang text NOT NULL DEFAULT 'en',
        endeavour_id text,
        organization_id text,
        status text NOT NULL DEFAULT 'active',
        next_run_at timestamptz(3),
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text,
        CONSTRAINT rituals_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT rituals_next_run_at_check CHECK (next_run_at IS NULL OR endeavour_id IS NOT NULL),
        CONSTRAINT rituals_organization_id_check CHECK (endeavour_id IS NULL OR organization_id IS NULL),
        CONSTRAINT rituals_is_enabled_check CHECK (NOT is_enabled OR status = 'active'),
        CONSTRAINT rituals_schedule_check CHECK (schedule->>'type' IN ('manual', 'cron', 'interval')),
        CONSTRAINT rituals_prompt_check CHECK (char_length(prompt) <= 100000),
        CONSTRAINT rituals_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT rituals_version_check CHECK (version > 0),
        CONSTRAINT rituals_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
        CONSTRAINT rituals_origin_check CHECK (origin IN ('template', 'custom', 'fork')),
        CONSTRAINT rituals_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT rituals_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE ritual_runs (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        ritual_id text NOT NULL,
        ritual_version integer NOT NULL,
        endeavour_id text,
        status text NOT NULL DEFAULT 'running',
        trigger text NOT NULL,
        run_by text,
        scheduled_for timestamptz(3),
        result_summary text,
        effects jsonb,
        error jsonb,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        metadata jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT ritual_runs_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT ritual_runs_error_check CHECK (jsonb_typeof(error) = 'object'),
        CONSTRAINT ritual_runs_effects_check CHECK (jsonb_typeof(effects) = 'object'),
        CONSTRAINT ritual_runs_scheduled_for_check CHECK ((trigger = 'schedule') = (scheduled_for IS NOT NULL)),
        CONSTRAINT ritual_runs_finished_at_check CHECK ((status = 'running') = (finished_at IS NULL)),
        CONSTRAINT ritual_runs_trigger_check CHECK (trigger IN ('schedule', 'manual', 'api')),
        CONSTRAINT ritual_runs_status_check CHECK (status IN ('running', 'succeeded', 'failed', 'skipped')),
        CONSTRAINT ritual_runs_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX rituals_endeavour_id_created_at_id_idx ON rituals (endeavour_id, created_at, id)`,
      `CREATE INDEX rituals_organization_id_created_at_id_idx ON rituals (organization_id, created_at, id)`,
      `CREATE INDEX rituals_created_at_id_idx ON rituals (created_at, id)`,
      `CREATE INDEX rituals_predecessor_id_idx ON rituals (predecessor_id)`,
      `CREATE INDEX rituals_next_run_at_idx ON rituals (next_run_at) WHERE is_enabled`,
      `CREATE INDEX rituals_name_trigram_idx ON rituals USING gin (name gin_trgm_ops)`,
      `CREATE INDEX rituals_description_trigram_idx ON rituals USING gin (description gin_trgm_ops)`,
      `CREATE UNIQUE INDEX ritual_runs_ritual_id_scheduled_for_idx ON ritual_runs (ritual_id, scheduled_for)`,
      `CREATE INDEX ritual_runs_ritual_id_created_at_id_idx ON ritual_runs (ritual_id, created_at, id)`,
      `CREATE INDEX ritual_runs_endeavour_id_created_at_id_idx ON ritual_runs (endeavour_id, created_at, id)`,
      `CREATE INDEX ritual_runs_created_at_id_idx ON ritual_runs (created_at, id)`,
      `CREATE INDEX ritual_runs_started_at_idx ON ritual_runs (started_at) WHERE status = 'running'`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_predecessor_id_fkey FOREIGN KEY (predecessor_id) REFERENCES rituals(id)`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_lineage_id_fkey FOREIGN KEY (lineage_id) REFERENCES rituals(id)`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE rituals ADD CONSTRAINT rituals_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `ALTER TABLE ritual_runs ADD CONSTRAINT ritual_runs_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE ritual_runs ADD CONSTRAINT ritual_runs_ritual_id_fkey FOREIGN KEY (ritual_id) REFERENCES rituals(id)`,
      `ALTER TABLE ritual_runs ADD CONSTRAINT ritual_runs_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE ritual_runs ADD CONSTRAINT ritual_runs_run_by_fkey FOREIGN KEY (run_by) REFERENCES resources(id)`,
      `-- Schedules without a time zone use that of their endeavour; clears their next run, so that it is recomputed.
      CREATE FUNCTION replan_rituals() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE rituals SET next_run_at = NULL
          WHERE endeavour_id = NEW.id AND next_run_at IS NOT NULL AND NOT schedule ? 'timezone';
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER endeavours_replan_rituals AFTER UPDATE OF timezone ON endeavours FOR EACH ROW
        WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION replan_rituals()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER endeavours_replan_rituals ON endeavours`,
      `DROP FUNCTION replan_rituals`,
      `DROP TABLE ritual_runs, rituals CASCADE`,
    ]) {
      await runner.query(statement);
    }
  }
}
