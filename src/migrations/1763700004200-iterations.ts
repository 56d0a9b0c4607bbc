import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of iterations, and what keeps work in those of its endeavour. */
export class Iterations1763700004200 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE iterations (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        holds integer NOT NULL DEFAULT 0,
        name text NOT NULL,
        goal text,
        endeavour_id text NOT NULL,
        start_day date NOT NULL,
        end_day date NOT NULL,
        status text NOT NULL DEFAULT 'planned',
        started_at timestamptz(3),
        closed_at timestamptz(3),
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT iterations_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT iterations_status_check CHECK (status IN ('planned', 'active', 'closed')),
        CONSTRAINT iterations_start_day_check CHECK (start_day BETWEEN '1970-01-01' AND '9999-12-31'),
        CONSTRAINT iterations_end_day_check CHECK (end_day BETWEEN start_day AND '9999-12-31'),
        CONSTRAINT iterations_started_at_check CHECK ((status = 'planned') = (started_at IS NULL)),
        CONSTRAINT iterations_closed_at_check CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
        CONSTRAINT iterations_deleted_at_check CHECK (deleted_at IS NULL OR status = 'planned'),
        CONSTRAINT iterations_pkey PRIMARY KEY (id),
        CONSTRAINT iterations_id_endeavour_id_key UNIQUE (id, endeavour_id),
        CONSTRAINT iterations_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT iterations_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT iterations_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)
      )`,
      `CREATE UNIQUE INDEX iterations_active_iteration_idx ON iterations (endeavour_id) WHERE status = 'active'`,
      `CREATE INDEX iterations_endeavour_id_start_day_id_idx ON iterations (endeavour_id, start_day, id)`,
      `CREATE INDEX iterations_endeavour_id_created_at_id_idx ON iterations (endeavour_id, created_at, id)`,
      `CREATE INDEX iterations_created_at_id_idx ON iterations (created_at, id)`,
      `CREATE UNIQUE INDEX iterations_id_holds_idx ON iterations (id, holds)`,
      `CREATE FUNCTION keep_iteration() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        state text;
        is_gone boolean;
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.endeavour_id <> OLD.endeavour_id AND NEW.iteration_id = OLD.iteration_id THEN
            NEW.iteration_id := NULL;
          END IF;
          IF NEW.iteration_id IS NOT DISTINCT FROM OLD.iteration_id THEN RETURN NEW; END IF;
        END IF;
        IF NEW.iteration_id IS NULL THEN RETURN NEW; END IF;
        SELECT i.status, i.deleted_at IS NOT NULL INTO state, is_gone
          FROM iterations i WHERE i.id = NEW.iteration_id FOR KEY SHARE;
        IF is_gone OR (state = 'closed' AND current_setting('worksmith.importing', true) IS DISTINCT FROM 'on') THEN
          RAISE EXCEPTION 'the iteration takes no work' USING ERRCODE = 'check_violation',
            CONSTRAINT = TG_TABLE_NAME || '_iteration_id_check';
        END IF;
        RETURN NEW;
      END $$`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION keep_iteration`);
    await runner.query(`DROP TABLE iterations`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'iteration'`);
    await runner.query(`DELETE FROM entities WHERE kind = 'iteration'`);
  }
}
