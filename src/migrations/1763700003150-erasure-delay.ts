import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'message_copy',
  'notifications',
];
const OWNER_KINDS = [
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
];

const kindCheck = (kinds: readonly string[]): string[] => [
  `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
     ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  `ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check`,
];

const erasureOf = (table: string): string[] => [
  `ALTER TABLE ${table} ADD COLUMN erasure_at timestamptz(3)`,
  `ALTER TABLE ${table} ADD CONSTRAINT ${table}_erasure_at_check
     CHECK (erasure_at IS NULL OR status = 'archived') NOT VALID`,
  // Holds for all rows, because the column is new; the validation does not block writers.
  `ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_erasure_at_check`,
  `CREATE TRIGGER ${table}_stop_erasure BEFORE UPDATE OF status ON ${table} FOR EACH ROW
     WHEN (NEW.erasure_at IS NOT NULL AND NEW.status <> 'archived') EXECUTE FUNCTION stop_erasure()`,
];

/**
 * The delay before a container is erased, during which its owners can stop the erasure, and the transfer of an endeavour
 * that waits for a second owner. A container that is restored is not erased, also if a release restores it that knows no
 * delay.
 */
export class ErasureDelay1763700003150 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE FUNCTION stop_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         NEW.erasure_at := NULL;
         RETURN NEW;
       END $$`,
      ...erasureOf('organizations'),
      ...erasureOf('endeavours'),
      `ALTER TABLE endeavours ADD COLUMN transfer_to text, ADD COLUMN transfer_by text`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_transfer_to_fkey
         FOREIGN KEY (transfer_to) REFERENCES organizations ON DELETE SET NULL NOT VALID`,
      `ALTER TABLE endeavours VALIDATE CONSTRAINT endeavours_transfer_to_fkey`,
      `CREATE INDEX endeavours_transfer_to_idx ON endeavours (transfer_to) WHERE transfer_to IS NOT NULL`,
      ...kindCheck([...KINDS, ...OWNER_KINDS]),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM outbox WHERE kind IN ('${OWNER_KINDS.join("', '")}')`);
    for (const statement of [
      ...kindCheck(KINDS),
      `DROP TRIGGER organizations_stop_erasure ON organizations`,
      `DROP TRIGGER endeavours_stop_erasure ON endeavours`,
      `DROP FUNCTION stop_erasure()`,
      `ALTER TABLE organizations DROP COLUMN erasure_at`,
      `ALTER TABLE endeavours DROP COLUMN erasure_at, DROP COLUMN transfer_to, DROP COLUMN transfer_by`,
    ]) {
      await runner.query(statement);
    }
  }
}
