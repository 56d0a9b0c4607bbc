import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the entity of an access token as deleted when the token ends, also if a change of manager ends it in SQL. */
export class EndedTokens1763700001500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION delete_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE entities SET deleted_at = NEW.ended_at WHERE id = NEW.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER access_tokens_delete_ended AFTER UPDATE OF ended_at ON access_tokens FOR EACH ROW
      WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION delete_ended_token()`);
    await runner.query(`UPDATE entities x SET deleted_at = t.ended_at FROM access_tokens t
      WHERE t.id = x.id AND t.ended_at IS NOT NULL AND x.deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER access_tokens_delete_ended ON access_tokens`);
    await runner.query(`DROP FUNCTION delete_ended_token()`);
  }
}
