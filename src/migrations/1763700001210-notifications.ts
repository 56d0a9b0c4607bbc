import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = 'assigned,owner_changed,review_wanted,verdict,comment,due,vote_wanted,invitation';

const MAILS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'message_copy',
];
const quoted = (word: string): string => `'${word}'`;

/** The users who can accept an open invitation: the invited user, or the user with the invited address. */
const INVITED_USERS = `
  CREATE VIEW invited_users AS
  SELECT i.id AS invitation_id, u.id AS user_id FROM invitations i
    JOIN LATERAL (SELECT own.id FROM users own WHERE own.id = i.invitee UNION ALL
      SELECT own.id FROM users own WHERE own.email = i.invitee) u ON true
  WHERE i.is_open AND NOT i.is_muted AND i.deleted_at IS NULL AND i.expires_at > now()`;

/** Notifications are created from the feed, starting at its current end; earlier events cause none. */
export class Notifications1763700001210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE users ADD COLUMN notify jsonb NOT NULL DEFAULT '{}'`,
      `ALTER TABLE users ADD CONSTRAINT users_notify_check CHECK (jsonb_typeof(notify) = 'object')`,
      `CREATE TABLE notifications (
        id text NOT NULL,
        user_id text NOT NULL,
        entity_id text NOT NULL,
        entity_type text NOT NULL,
        day date NOT NULL,
        kinds text[] NOT NULL,
        count integer NOT NULL DEFAULT 1,
        actor_id text,
        source_id text,
        occurred_at timestamptz(3) NOT NULL,
        read_at timestamptz(3),
        mail_wanted_at timestamptz(3),
        mailed_at timestamptz(3),
        CONSTRAINT notifications_pkey PRIMARY KEY (id),
        CONSTRAINT notifications_kinds_check CHECK (kinds <@ '{${KINDS}}' AND cardinality(kinds) > 0),
        CONSTRAINT notifications_count_check CHECK (count > 0)
      )`,
      `CREATE UNIQUE INDEX notifications_user_id_entity_id_day_idx ON notifications (user_id, entity_id, day)`,
      `CREATE INDEX notifications_user_id_occurred_at_id_idx ON notifications (user_id, occurred_at, id)`,
      `CREATE INDEX notifications_unread_idx ON notifications (user_id, occurred_at, id) WHERE read_at IS NULL`,
      `CREATE INDEX notifications_mail_idx ON notifications (mail_wanted_at)
        WHERE mail_wanted_at IS NOT NULL AND mailed_at IS NULL`,
      `CREATE INDEX notifications_mailed_idx ON notifications (user_id, mailed_at) WHERE mailed_at IS NOT NULL`,
      `CREATE INDEX notifications_entity_id_idx ON notifications (entity_id)`,
      `CREATE INDEX notifications_source_id_idx ON notifications (source_id) WHERE source_id IS NOT NULL`,
      `CREATE INDEX notifications_occurred_at_idx ON notifications (occurred_at)`,
      `ALTER TABLE notifications ADD CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE notifications ADD CONSTRAINT notifications_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)`,
      `ALTER TABLE notifications ADD CONSTRAINT notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES resources(id)`,
      `CREATE TABLE notification_feed (
        id boolean NOT NULL DEFAULT true,
        position bigint NOT NULL DEFAULT 0,
        due_until timestamptz(3) NOT NULL,
        CONSTRAINT notification_feed_id_check CHECK (id),
        CONSTRAINT notification_feed_pkey PRIMARY KEY (id)
      )`,
      `INSERT INTO notification_feed (position, due_until) SELECT number_events(), now()`,
      `CREATE INDEX tasks_due_idx ON tasks (due_date) WHERE due_date IS NOT NULL AND status IN ('planned', 'active')`,
      INVITED_USERS,
      `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check`,
      `ALTER TABLE outbox ADD CONSTRAINT outbox_kind_check CHECK (kind IN (${[...MAILS, 'notifications'].map(quoted).join(', ')}))`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DELETE FROM outbox WHERE kind = 'notifications'`,
      `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check`,
      `ALTER TABLE outbox ADD CONSTRAINT outbox_kind_check CHECK (kind IN (${MAILS.map(quoted).join(', ')}))`,
      `DROP VIEW invited_users`,
      `DROP INDEX tasks_due_idx`,
      `DROP TABLE notification_feed, notifications`,
      `ALTER TABLE users DROP COLUMN notify`,
    ]) {
      await runner.query(statement);
    }
  }
}
