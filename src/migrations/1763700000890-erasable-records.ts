import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEEPERS = ['approvals_immutable', 'dod_checks_keep', 'dod_results_keep', 'dod_policies_keep'];
const CONDITION = `current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on'`;

/** SQL: recreates the triggers, each with the definition that the given expression computes from its present one. */
const remade = (definition: string): string => `DO $do$
  DECLARE kept record;
  BEGIN
    FOR kept IN
      SELECT t.tgname AS name, t.tgrelid::regclass AS relation, pg_get_triggerdef(t.oid) AS definition
      FROM pg_trigger t WHERE t.tgname IN ('${KEEPERS.join("', '")}')
    LOOP
      EXECUTE format('DROP TRIGGER %I ON %s', kept.name, kept.relation);
      EXECUTE ${definition};
    END LOOP;
  END $do$`;

/** Lets transactions that set `worksmith.erasing` erase immutable records together with their container. */
export class ErasableRecords1763700000890 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      remade(`replace(kept.definition, 'EXECUTE FUNCTION', $when$WHEN (${CONDITION}) EXECUTE FUNCTION$when$)`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(remade(`regexp_replace(kept.definition, 'WHEN .* EXECUTE FUNCTION', 'EXECUTE FUNCTION')`));
  }
}
