import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments forget what their texts named. */
export class ReferencesOfComments1763700004516 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER comments_forget_references AFTER UPDATE OF content ON comments FOR EACH ROW
        WHEN (OLD.content IS DISTINCT FROM NEW.content AND OLD.content ~ '[A-Z0-9]-[1-9]') EXECUTE FUNCTION forget_references()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER comments_forget_references ON comments');
  }
}
