import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations of existing users, refusals, acceptances and the status of the mail; former members of containers. */
export class Invitations1763700000821 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE invitations ADD COLUMN user_id text, ADD COLUMN invitee text, ADD COLUMN is_open boolean NOT NULL DEFAULT true,
        ADD COLUMN is_muted boolean NOT NULL DEFAULT false, ADD COLUMN refused_at timestamptz(3), ADD COLUMN refused_by text,
        ADD COLUMN mail_status text`,
      `UPDATE invitations SET invitee = email,
        is_open = deleted_at IS NULL AND uses < max_uses AND expires_at > now(),
        mail_status = CASE WHEN email IS NULL THEN NULL WHEN token_hash IS NULL THEN 'queued' ELSE 'sent' END`,
      // Of several invitations for one address and container, only the newest is open; the tokens of all stay valid.
      `UPDATE invitations i SET is_open = false
       WHERE is_open AND email IS NOT NULL AND EXISTS (
         SELECT 1 FROM invitations later
         WHERE later.is_open AND later.email = i.email AND (later.created_at, later.id) > (i.created_at, i.id)
           AND (later.organization_id = i.organization_id OR later.endeavour_id = i.endeavour_id
             OR (later.organization_id IS NULL AND later.endeavour_id IS NULL
               AND i.organization_id IS NULL AND i.endeavour_id IS NULL)))`,
      `ALTER TABLE invitations DROP CONSTRAINT invitations_max_uses_check`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_max_uses_check CHECK (max_uses = 1 OR invitee IS NULL)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_invitee_check CHECK (invitee IS NOT DISTINCT FROM coalesce(email, user_id) AND (email IS NULL OR user_id IS NULL))`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_mail_status_check CHECK (mail_status IN ('queued', 'sent', 'failed'))`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_refused_by_fkey FOREIGN KEY (refused_by) REFERENCES users(id)`,
      `CREATE INDEX invitations_invitee_idx ON invitations (invitee)`,
      `CREATE INDEX invitations_refused_by_idx ON invitations (refused_by)`,
      `CREATE UNIQUE INDEX invitations_open_organization_idx ON invitations (invitee, organization_id) WHERE is_open`,
      `CREATE UNIQUE INDEX invitations_open_endeavour_idx ON invitations (invitee, endeavour_id) WHERE is_open`,
      `CREATE UNIQUE INDEX invitations_open_account_idx ON invitations (invitee)
        WHERE is_open AND organization_id IS NULL AND endeavour_id IS NULL`,
      `CREATE TABLE invitation_acceptances (
        invitation_id text NOT NULL,
        user_id text NOT NULL,
        accepted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT invitation_acceptances_pkey PRIMARY KEY (invitation_id, user_id)
      )`,
      `ALTER TABLE invitation_acceptances ADD CONSTRAINT invitation_acceptances_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id)`,
      `ALTER TABLE invitation_acceptances ADD CONSTRAINT invitation_acceptances_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      // A lapsed mail counts as sent, so that the inviter does not learn why it was not sent.
      `CREATE FUNCTION keep_invitation_mail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE invitations SET mail_status = CASE NEW.status WHEN 'failed' THEN 'failed' ELSE 'sent' END
          WHERE id = NEW.reference;
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER outbox_keep_invitation_mail AFTER UPDATE OF status ON outbox FOR EACH ROW
        WHEN (NEW.kind = 'invitation' AND NEW.status <> 'pending') EXECUTE FUNCTION keep_invitation_mail()`,
      `UPDATE outbox SET reference = data ->> 'invitation_id' WHERE kind = 'invitation' AND status = 'pending'`,
      `CREATE TABLE former_members (
        container_id text NOT NULL,
        user_id text NOT NULL,
        left_at timestamptz(3) NOT NULL,
        CONSTRAINT former_members_pkey PRIMARY KEY (container_id, user_id)
      )`,
      `ALTER TABLE former_members ADD CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `CREATE INDEX former_members_user_id_idx ON former_members (user_id)`,
      `CREATE FUNCTION keep_former_member() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO former_members (container_id, user_id, left_at)
          VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
          ON CONFLICT (container_id, user_id) DO UPDATE SET left_at = excluded.left_at;
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER organization_resources_former AFTER DELETE ON organization_resources FOR EACH ROW
        WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION keep_former_member('organization_id')`,
      `CREATE TRIGGER endeavour_members_former AFTER DELETE ON endeavour_members FOR EACH ROW
        EXECUTE FUNCTION keep_former_member('endeavour_id')`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER endeavour_members_former ON endeavour_members`,
      `DROP TRIGGER organization_resources_former ON organization_resources`,
      `DROP FUNCTION keep_former_member`,
      `DROP TABLE former_members`,
      `DROP TRIGGER outbox_keep_invitation_mail ON outbox`,
      `DROP FUNCTION keep_invitation_mail`,
      `DROP TABLE invitation_acceptances`,
      `DELETE FROM invitations WHERE user_id IS NOT NULL`,
      `ALTER TABLE invitations DROP CONSTRAINT invitations_max_uses_check, DROP CONSTRAINT invitations_invitee_check`,
      `ALTER TABLE invitations DROP COLUMN user_id, DROP COLUMN invitee, DROP COLUMN is_open, DROP COLUMN is_muted,
        DROP COLUMN refused_at, DROP COLUMN refused_by, DROP COLUMN mail_status`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_max_uses_check CHECK (max_uses = 1 OR email IS NULL)`,
    ]) {
      await runner.query(statement);
    }
  }
}
