import type { MigrationInterface, QueryRunner } from 'typeorm';

const check = (condition: string): string => `ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_kind_check,
  ADD CONSTRAINT access_tokens_kind_check CHECK (kind = 'access' OR (kind = 'calendar' AND ${condition}))`;

/** Calendar tokens without an endeavour open the calendar of what their user is assigned to or owns. */
export class OwnCalendars1763700003301 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${check('organization_id IS NULL')} NOT VALID`);
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_kind_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM access_token_secrets s USING access_tokens a
      WHERE a.id = s.token_id AND a.kind = 'calendar' AND a.endeavour_id IS NULL`);
    await runner.query(`UPDATE access_tokens SET kind = 'access' WHERE kind = 'calendar' AND endeavour_id IS NULL`);
    await runner.query(check('endeavour_id IS NOT NULL'));
  }
}
