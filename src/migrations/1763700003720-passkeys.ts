import type { MigrationInterface, QueryRunner } from 'typeorm';

const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'step_up',
  'second_factor_enabled',
  'second_factor_disabled',
  'recovery_codes_replaced',
  'recovery_code_used',
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
const NEW_KINDS = ['passkey_added', 'passkey_removed', 'passkey_copied'];

const kindCheck = (kinds: readonly string[]): string[] => [
  `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
     ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  'ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check',
];

const STATEMENTS = [
  `CREATE TABLE passkeys (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     user_id text NOT NULL,
     name text NOT NULL,
     credential_id text NOT NULL,
     public_key text NOT NULL,
     user_handle text NOT NULL,
     counter bigint NOT NULL DEFAULT 0,
     transports text[] NOT NULL DEFAULT '{}',
     last_used_at timestamptz(3),
     ended_at timestamptz(3),
     CONSTRAINT passkeys_pkey PRIMARY KEY (id),
     CONSTRAINT passkeys_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
     CONSTRAINT passkeys_counter_check CHECK (counter >= 0),
     CONSTRAINT passkeys_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
     CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
   )`,
  `CREATE INDEX passkeys_user_id_created_at_idx ON passkeys (user_id, created_at)`,
  `CREATE UNIQUE INDEX passkeys_credential_id_idx ON passkeys (credential_id) WHERE ended_at IS NULL`,
  `CREATE TABLE webauthn_challenges (
     challenge text NOT NULL,
     purpose text NOT NULL,
     session_id text,
     user_handle text,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT webauthn_challenges_pkey PRIMARY KEY (challenge),
     CONSTRAINT webauthn_challenges_purpose_check CHECK (purpose IN ('register', 'login', 'step_up')),
     CONSTRAINT webauthn_challenges_session_check CHECK ((purpose = 'login') = (session_id IS NULL)),
     CONSTRAINT webauthn_challenges_user_handle_check CHECK ((purpose = 'register') = (user_handle IS NOT NULL))
   )`,
  `CREATE INDEX webauthn_challenges_expires_at_idx ON webauthn_challenges (expires_at)`,
  ...kindCheck([...MAIL_KINDS, ...NEW_KINDS]),
];

/** Passkeys, and what authenticators are asked to sign. */
export class Passkeys1763700003720 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DELETE FROM outbox WHERE kind IN ('${NEW_KINDS.join("', '")}')`,
      ...kindCheck(MAIL_KINDS),
      'DROP TABLE webauthn_challenges',
      'DROP TABLE passkeys',
    ]) {
      await runner.query(statement);
    }
  }
}
