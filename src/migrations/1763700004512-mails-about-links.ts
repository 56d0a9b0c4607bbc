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
  'passkey_added',
  'passkey_removed',
  'passkey_copied',
  'message_copy',
  'message_copies',
  'notifications',
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
  'identity_linked',
  'identity_removed',
  'domain_record_absent',
  'domain_proof_ended',
  'provider_sign_in',
  'email_assigned',
  'scim_token_expiring',
  'last_owner_dismissed',
];

const kindCheck = (kinds: readonly string[]): string[] => [
  `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
     ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  'ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check',
];

const keepMailOf = (kinds: string): string[] => [
  'DROP TRIGGER outbox_keep_invitation_mail ON outbox',
  `CREATE TRIGGER outbox_keep_invitation_mail AFTER UPDATE OF status ON outbox FOR EACH ROW
      WHEN (NEW.kind ${kinds} AND NEW.status <> 'pending') EXECUTE FUNCTION keep_invitation_mail()`,
];

/** Mails that offer a link of an endeavour. */
export class MailsAboutLinks1763700004512 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    const check = kindCheck([...MAIL_KINDS, 'link_invitation']);
    for (const statement of [...check, ...keepMailOf(`IN ('invitation', 'link_invitation')`)])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM outbox WHERE kind = 'link_invitation'`);
    for (const statement of [...kindCheck(MAIL_KINDS), ...keepMailOf(`= 'invitation'`)]) await runner.query(statement);
  }
}
