import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Demands know whether a text has named them, and forget what their descriptions named. */
export class ReferencesOfDemands1763700004515 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE demands ADD COLUMN has_references boolean NOT NULL DEFAULT false');
    await runner.query(`CREATE TRIGGER demands_forget_references AFTER UPDATE OF description ON demands FOR EACH ROW
        WHEN (OLD.description IS DISTINCT FROM NEW.description AND OLD.description ~ '[A-Z0-9]-[1-9]') EXECUTE FUNCTION forget_references()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER demands_forget_references ON demands');
    await runner.query('ALTER TABLE demands DROP COLUMN has_references');
  }
}
