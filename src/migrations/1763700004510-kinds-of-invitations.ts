import type { MigrationInterface, QueryRunner } from 'typeorm';

const PLACE = `(organization_id IS NULL) = (role IS NULL) AND CASE kind WHEN 'link'
     THEN organization_id IS NULL AND endeavour_id IS NOT NULL AND endeavour_role IS NULL
     ELSE (endeavour_id IS NULL) = (endeavour_role IS NULL) END`;
const FORMER_PLACE = '(organization_id IS NULL) = (role IS NULL) AND (endeavour_id IS NULL) = (endeavour_role IS NULL)';
const USES = `max_uses = 1 OR (invitee IS NULL AND kind = 'roles')`;
const FORMER_USES = 'max_uses = 1 OR invitee IS NULL';

const replaceChecks = (checks: Readonly<Record<string, string>>): string[] =>
  Object.entries(checks).flatMap(([name, check]) => [
    `ALTER TABLE invitations DROP CONSTRAINT IF EXISTS invitations_${name}_check,
       ADD CONSTRAINT invitations_${name}_check CHECK (${check}) NOT VALID`,
    `ALTER TABLE invitations VALIDATE CONSTRAINT invitations_${name}_check`,
  ]);

const replaceIndex = (columns: string): string[] => [
  'DROP INDEX invitations_open_endeavour_idx',
  `CREATE UNIQUE INDEX invitations_open_endeavour_idx ON invitations (${columns}) WHERE is_open`,
];

/** Invitations offer roles or a link of an endeavour; one person can have both for one endeavour. */
export class KindsOfInvitations1763700004510 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invitations ADD COLUMN kind text NOT NULL DEFAULT 'roles'`);
    const checks = replaceChecks({ kind: `kind IN ('roles', 'link')`, place: PLACE, max_uses: USES });
    for (const statement of [...checks, ...replaceIndex('invitee, endeavour_id, kind')]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM invitation_acceptances WHERE invitation_id IN (SELECT id FROM invitations WHERE kind = 'link')`,
    );
    await runner.query(`DELETE FROM invitations WHERE kind = 'link'`);
    const checks = replaceChecks({ place: FORMER_PLACE, max_uses: FORMER_USES });
    for (const statement of [...checks, ...replaceIndex('invitee, endeavour_id')]) await runner.query(statement);
    await runner.query('ALTER TABLE invitations DROP COLUMN kind');
  }
}
