import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What keeps work with the goals of its endeavour; the next migrations let it name them. */
export class GoalsOfWork1763700004470 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION keep_goal() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        known jsonb;
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW.endeavour_id <> OLD.endeavour_id AND NEW.goal_id = OLD.goal_id THEN
          NEW.goal_id := NULL;
          RETURN NEW;
        END IF;
        -- Goals that get work are not removed until the transaction ends.
        SELECT e.goals INTO known FROM endeavours e WHERE e.id = NEW.endeavour_id FOR KEY SHARE;
        IF known @> jsonb_build_array(jsonb_build_object('id', NEW.goal_id)) IS NOT TRUE THEN
          RAISE EXCEPTION 'the goal is none of the endeavour' USING ERRCODE = 'check_violation',
            CONSTRAINT = TG_TABLE_NAME || '_goal_id_check';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE FUNCTION keep_goals() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM jsonb_array_elements(OLD.goals) AS former (value)
            JOIN goal_members m ON m.goal_id = former.value ->> 'id'
            WHERE NOT NEW.goals @> jsonb_build_array(jsonb_build_object('id', m.goal_id))) THEN
          RAISE EXCEPTION 'a goal goes while work serves it' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'endeavours_goals_check';
        END IF;
        RETURN NEW;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION keep_goals`);
    await runner.query(`DROP FUNCTION keep_goal`);
  }
}
