import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Invitations know what became of their mail. */
export const INVITATION_OBJECTS: DatabaseObjects = {
  functions: [
    /** An invitation knows whether its mail was sent. */
    `CREATE FUNCTION keep_invitation_mail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE invitations SET mail_status = CASE NEW.status WHEN 'failed' THEN 'failed' ELSE 'sent' END
        WHERE id = NEW.reference;
        RETURN NULL;
      END $$`,
  ],
  views: [
    /** The users whom an open invitation concerns. */
    `CREATE VIEW invited_users AS
      SELECT i.id AS invitation_id, u.id AS user_id FROM invitations i
        JOIN LATERAL (SELECT own.id FROM users own WHERE own.id = i.invitee UNION ALL
          SELECT own.id FROM users own WHERE own.email = i.invitee) u ON true
      WHERE i.is_open AND NOT i.is_muted AND i.deleted_at IS NULL AND i.expires_at > now()`,
  ],
  triggers: [
    `CREATE TRIGGER outbox_keep_invitation_mail AFTER UPDATE OF status ON outbox FOR EACH ROW
      WHEN (NEW.kind IN ('invitation', 'link_invitation') AND NEW.status <> 'pending') EXECUTE FUNCTION keep_invitation_mail()`,
  ],
};
