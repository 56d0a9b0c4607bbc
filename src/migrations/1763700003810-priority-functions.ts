import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions of effective priorities, and the demands whose tasks a job gives theirs. */
export class PriorityFunctions1763700003810 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE priority_renewals (demand_id text NOT NULL, CONSTRAINT priority_renewals_pkey PRIMARY KEY (demand_id))`,
    );
    await runner.query(`CREATE FUNCTION priority_of_demand(demand text) RETURNS text LANGUAGE sql AS $$
      SELECT d.priority FROM demands d WHERE d.id = demand FOR KEY SHARE $$`);
    await runner.query(`CREATE FUNCTION keep_effective_priority() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.effective_priority := coalesce(NEW.priority, priority_of_demand(NEW.demand_id), 'medium');
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE FUNCTION pass_on_priority() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM tasks t WHERE t.demand_id = NEW.id AND t.priority IS NULL ORDER BY t.id FOR NO KEY UPDATE;
        UPDATE tasks t SET effective_priority = NEW.priority
          WHERE t.demand_id = NEW.id AND t.priority IS NULL AND t.effective_priority <> NEW.priority;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION renew_task_priorities(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due text;
        wanted text;
        renewed integer;
      BEGIN
        SELECT r.demand_id INTO due FROM priority_renewals r ORDER BY r.demand_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        wanted := priority_of_demand(due);
        UPDATE tasks t SET effective_priority = wanted
          WHERE t.id = ANY(ARRAY(SELECT n.id FROM tasks n
              WHERE n.demand_id = due AND n.priority IS NULL AND n.effective_priority <> wanted ORDER BY n.id LIMIT most))
            AND t.demand_id = due AND t.priority IS NULL;
        GET DIAGNOSTICS renewed = ROW_COUNT;
        IF renewed < most THEN DELETE FROM priority_renewals r WHERE r.demand_id = due; END IF;
        RETURN true;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION renew_task_priorities`);
    await runner.query(`DROP FUNCTION pass_on_priority`);
    await runner.query(`DROP FUNCTION keep_effective_priority`);
    await runner.query(`DROP FUNCTION priority_of_demand`);
    await runner.query(`DROP TABLE priority_renewals`);
  }
}
