import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deletes resources that no row references any more, and keeps those that the history still references. */
export class ResourceErasing1763700000813 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION erase_resources(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
       DECLARE one text;
       BEGIN
         FOREACH one IN ARRAY ids LOOP
           BEGIN
             DELETE FROM events WHERE entity_id = one;
             DELETE FROM resources WHERE id = one;
             DELETE FROM entities WHERE id = one;
           EXCEPTION WHEN foreign_key_violation THEN NULL;
           END;
         END LOOP;
       END $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION erase_resources');
  }
}
