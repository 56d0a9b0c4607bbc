import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Networks from which users signed in before, in the form of `networkOf` (src/common/network.ts); the network that
 * requested a code; the language of a sign-up; e-mail changes that are not confirmed yet.
 */
export class KnownAddresses1763700000820 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE known_addresses (
        user_id text NOT NULL,
        network text NOT NULL,
        last_sign_in_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT known_addresses_pkey PRIMARY KEY (user_id, network)
      )`,
      `CREATE INDEX known_addresses_last_sign_in_at_idx ON known_addresses (last_sign_in_at)`,
      `ALTER TABLE known_addresses ADD CONSTRAINT known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `INSERT INTO known_addresses (user_id, network, last_sign_in_at)
       SELECT user_id, regexp_replace(client_address, '^::ffff:', '', 'i'), max(created_at) FROM sessions
       WHERE client_address ~* '^(::ffff:)?\\d{1,3}(\\.\\d{1,3}){3}$' GROUP BY 1, 2`,
      `DO $$
       DECLARE session record;
       BEGIN
         FOR session IN SELECT user_id, client_address, max(created_at) AS created_at FROM sessions
           WHERE client_address LIKE '%:%' AND client_address NOT LIKE '%.%' GROUP BY 1, 2
         LOOP
           BEGIN
             INSERT INTO known_addresses (user_id, network, last_sign_in_at)
             SELECT session.user_id,
               string_agg(to_hex(get_byte(bytes, 2 * n + 4) * 256 + get_byte(bytes, 2 * n + 5)), ':' ORDER BY n) || '::/64',
               session.created_at
             FROM inet_send(split_part(session.client_address, '%', 1)::inet) AS bytes, generate_series(0, 3) AS n
             ON CONFLICT DO NOTHING;
           EXCEPTION WHEN invalid_text_representation THEN NULL;
           END;
         END LOOP;
       END $$`,
      `ALTER TABLE sign_ups ADD COLUMN lang text NOT NULL DEFAULT 'en'`,
      `ALTER TABLE sign_ups ADD COLUMN asked_from text NOT NULL DEFAULT ''`,
      `ALTER TABLE codes ADD COLUMN asked_from text NOT NULL DEFAULT ''`,
      `ALTER TABLE codes ADD COLUMN is_from_known boolean NOT NULL DEFAULT false`,
      `ALTER TABLE codes ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()`,
      `CREATE TABLE email_changes (
        user_id text NOT NULL,
        new_email text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT email_changes_pkey PRIMARY KEY (user_id)
      )`,
      `CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at)`,
      `ALTER TABLE email_changes ADD CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `INSERT INTO email_changes (user_id, new_email, expires_at)
       SELECT DISTINCT ON (scope) scope, subject, expires_at FROM codes
       WHERE purpose = 'email_change' AND ended_at IS NULL AND expires_at > now()
         AND EXISTS (SELECT 1 FROM users WHERE users.id = scope)
       ORDER BY scope, expires_at DESC`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE email_changes`,
      `ALTER TABLE codes DROP COLUMN created_at, DROP COLUMN is_from_known, DROP COLUMN asked_from`,
      `ALTER TABLE sign_ups DROP COLUMN asked_from, DROP COLUMN lang`,
      `DROP TABLE known_addresses`,
    ]) {
      await runner.query(statement);
    }
  }
}
