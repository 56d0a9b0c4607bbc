import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the values of declared fields of demands. */
export class FieldsOfDemands1763700004442 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER demands_forget_field_values AFTER DELETE ON demands FOR EACH ROW
      WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION keep_field_values('demand')`);
    await runner.query(`CREATE TRIGGER demands_keep_field_values AFTER UPDATE OF metadata, endeavour_id ON demands FOR EACH ROW
      WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION keep_field_values('demand')`);
    await runner.query(`CREATE TRIGGER demands_keep_new_field_values AFTER INSERT ON demands FOR EACH ROW
      WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_field_values('demand')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER demands_keep_new_field_values ON demands`);
    await runner.query(`DROP TRIGGER demands_keep_field_values ON demands`);
    await runner.query(`DROP TRIGGER demands_forget_field_values ON demands`);
  }
}
