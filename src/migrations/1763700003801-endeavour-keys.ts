import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives new endeavours keys. The strongest lock comes first, so that clients that hold a weaker one do not deadlock. */
export class EndeavourKeys1763700003801 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE endeavours ADD key text`);
    await runner.query(
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_key_check CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$')`,
    );
    await runner.query(
      `ALTER TABLE endeavour_keys ADD CONSTRAINT endeavour_keys_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED`,
    );
    await runner.query(
      `ALTER TABLE work_numbers ADD CONSTRAINT work_numbers_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE TRIGGER endeavours_keep_new_key BEFORE INSERT ON endeavours FOR EACH ROW EXECUTE FUNCTION keep_endeavour_key()`,
    );
    await runner.query(`CREATE TRIGGER endeavours_keep_key BEFORE UPDATE OF key, organization_id ON endeavours FOR EACH ROW
      WHEN (NEW.key IS NOT NULL AND (NEW.key IS DISTINCT FROM OLD.key OR NEW.organization_id IS DISTINCT FROM OLD.organization_id))
      EXECUTE FUNCTION keep_endeavour_key()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER endeavours_keep_key ON endeavours`);
    await runner.query(`DROP TRIGGER endeavours_keep_new_key ON endeavours`);
    await runner.query(`ALTER TABLE work_numbers DROP CONSTRAINT work_numbers_endeavour_id_fkey`);
    await runner.query(`ALTER TABLE endeavour_keys DROP CONSTRAINT endeavour_keys_endeavour_id_fkey`);
    await runner.query(`ALTER TABLE endeavours DROP CONSTRAINT endeavours_key_check`);
    await runner.query(`ALTER TABLE endeavours DROP COLUMN key`);
  }
}
