import type { MigrationInterface, QueryRunner } from 'typeorm';

const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
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
const CODE_PURPOSES = ['verification', 'reset', 'email_change'];

const check = (table: string, column: string, words: readonly string[]): string[] => [
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check,
     ADD CONSTRAINT ${table}_${column}_check CHECK (${column} IN ('${words.join("', '")}')) NOT VALID`,
  `ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_${column}_check`,
];

/** The triggers come before the passwords are copied, so that none is missed that a replica sets meanwhile. */
const STATEMENTS = [
  `CREATE TABLE credentials (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     user_id text NOT NULL,
     kind text NOT NULL,
     secret text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT credentials_pkey PRIMARY KEY (id),
     CONSTRAINT credentials_kind_check CHECK (kind IN ('password')),
     CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
   )`,
  `CREATE INDEX credentials_user_id_idx ON credentials (user_id)`,
  `CREATE UNIQUE INDEX credentials_password_idx ON credentials (user_id) WHERE kind = 'password'`,
  `ALTER TABLE sessions
     ADD COLUMN method text NOT NULL DEFAULT 'password',
     ADD COLUMN proved_at timestamptz(3),
     ADD CONSTRAINT sessions_method_check CHECK (method IN ('password', 'password+totp', 'passkey', 'oidc')) NOT VALID`,
  `ALTER TABLE sessions VALIDATE CONSTRAINT sessions_method_check`,
  ...check('outbox', 'kind', [...MAIL_KINDS, 'step_up']),
  ...check('codes', 'purpose', [...CODE_PURPOSES, 'step_up']),
  `CREATE FUNCTION keep_password_credential() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      BEGIN
        DELETE FROM credentials WHERE user_id = NEW.id AND kind = 'password';
        INSERT INTO credentials (user_id, kind, secret)
        SELECT NEW.id, 'password', NEW.password_hash WHERE NEW.password_hash IS NOT NULL;
        RETURN NULL;
      END $$`,
  `CREATE TRIGGER users_keep_first_password AFTER INSERT ON users FOR EACH ROW
      WHEN (NEW.password_hash IS NOT NULL) EXECUTE FUNCTION keep_password_credential()`,
  `CREATE TRIGGER users_keep_password AFTER UPDATE OF password_hash ON users FOR EACH ROW
      WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash) EXECUTE FUNCTION keep_password_credential()`,
  `INSERT INTO credentials (user_id, kind, secret)
     SELECT id, 'password', password_hash FROM users WHERE password_hash IS NOT NULL`,
];

/**
 * Credentials of users, of which the password is the first. Replicas of the previous release read and write only
 * `users.password_hash`; triggers copy what they write.
 */
export class Credentials1763700003700 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP TRIGGER users_keep_password ON users',
      'DROP TRIGGER users_keep_first_password ON users',
      'DROP FUNCTION keep_password_credential',
      "DELETE FROM codes WHERE purpose = 'step_up'",
      ...check('codes', 'purpose', CODE_PURPOSES),
      "DELETE FROM outbox WHERE kind = 'step_up'",
      ...check('outbox', 'kind', MAIL_KINDS),
      'ALTER TABLE sessions DROP COLUMN proved_at, DROP COLUMN method',
      'DROP TABLE credentials',
    ]) {
      await runner.query(statement);
    }
  }
}
