import type { MigrationInterface, QueryRunner } from 'typeorm';

const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'step_up',
  'message_copy',
  'message_copies',
  'notifications',
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
];
const NEW_KINDS = ['second_factor_enabled', 'second_factor_disabled', 'recovery_codes_replaced', 'recovery_code_used'];

const kindCheck = (kinds: readonly string[]): string[] => [
  `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
     ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  'ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check',
];

const credentialKinds = (kinds: string): string[] => [
  `ALTER TABLE credentials DROP CONSTRAINT credentials_kind_check,
     ADD CONSTRAINT credentials_kind_check CHECK (kind IN (${kinds})) NOT VALID`,
  'ALTER TABLE credentials VALIDATE CONSTRAINT credentials_kind_check',
];

const keepPassword = (further: string): string =>
  `CREATE OR REPLACE FUNCTION keep_password_credential() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      BEGIN
        DELETE FROM credentials WHERE user_id = NEW.id AND kind = 'password';
        INSERT INTO credentials (user_id, kind, secret)
        SELECT NEW.id, 'password', NEW.password_hash WHERE NEW.password_hash IS NOT NULL;${further}
        RETURN NULL;
      END $$`;

const STATEMENTS = [
  `ALTER TABLE credentials ADD COLUMN expires_at timestamptz(3), ADD COLUMN last_step integer,
     ADD CONSTRAINT credentials_expires_at_check CHECK (expires_at IS NULL OR kind = 'totp'),
     ADD CONSTRAINT credentials_last_step_check CHECK (last_step IS NULL OR kind = 'totp')`,
  ...credentialKinds(`'password', 'totp', 'recovery_code'`),
  `CREATE UNIQUE INDEX credentials_totp_idx ON credentials (user_id) WHERE kind = 'totp'`,
  `CREATE UNIQUE INDEX credentials_user_id_secret_idx ON credentials (user_id, secret) WHERE kind = 'recovery_code'`,
  `CREATE TABLE pending_sign_ins (
     hash text NOT NULL,
     user_id text NOT NULL,
     attempts integer NOT NULL DEFAULT 0,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT pending_sign_ins_pkey PRIMARY KEY (hash),
     CONSTRAINT pending_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
   )`,
  `CREATE INDEX pending_sign_ins_user_id_idx ON pending_sign_ins (user_id)`,
  `CREATE INDEX pending_sign_ins_expires_at_idx ON pending_sign_ins (expires_at)`,
  ...kindCheck([...MAIL_KINDS, ...NEW_KINDS]),
  keepPassword(`
        DELETE FROM pending_sign_ins WHERE user_id = NEW.id;`),
];

/** Authenticator apps with recovery codes, and sign-ins that wait for their codes. */
export class SecondFactors1763700003701 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      keepPassword(''),
      `DELETE FROM outbox WHERE kind IN ('${NEW_KINDS.join("', '")}')`,
      ...kindCheck(MAIL_KINDS),
      'DROP TABLE pending_sign_ins',
      "DELETE FROM credentials WHERE kind <> 'password'",
      'DROP INDEX credentials_user_id_secret_idx',
      'DROP INDEX credentials_totp_idx',
      ...credentialKinds(`'password'`),
      'ALTER TABLE credentials DROP COLUMN last_step, DROP COLUMN expires_at',
    ]) {
      await runner.query(statement);
    }
  }
}
