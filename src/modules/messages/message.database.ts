import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { messageView } from './message.view.js';

/** Messages are immutable; their deliveries know what became of their copies by mail. */
export const MESSAGE_OBJECTS: DatabaseObjects = {
  functions: [
    /** A delivery knows whether its copy by mail was sent. */
    `CREATE FUNCTION keep_mail_copy() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE message_deliveries SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
        WHERE id = NEW.reference;
        RETURN NULL;
      END $$`,
    /** Stores in each delivery whether the mail with its copy was sent. Deletes the copies of a mail that lapsed. */
    `CREATE FUNCTION keep_gathered_copies() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.status = 'lapsed' THEN
          DELETE FROM message_copies WHERE mail = NEW.reference;
        ELSE
          UPDATE message_deliveries d SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
          FROM message_copies c WHERE c.mail = NEW.reference AND d.id = c.delivery_id;
        END IF;
        RETURN NULL;
      END $$`,
    /** A new manager of an agent does not read the messages that the agent has received and sent before. */
    `CREATE FUNCTION close_inbox() RETURNS trigger LANGUAGE plpgsql
        SET search_path = public AS $$
      DECLARE
        before text := coalesce(nullif(current_setting('worksmith.erasing', true), ''), 'off');
      BEGIN
        PERFORM set_config('worksmith.erasing', 'on', true);
        UPDATE events e SET audience = array_remove(e.audience, NEW.resource_id)
        FROM message_deliveries d WHERE d.user_id = NEW.id AND e.entity_id = d.message_id AND e.type = 'message.sent';
        PERFORM set_config('worksmith.erasing', before, true);
        UPDATE message_deliveries SET removed_at = clock_timestamp() WHERE user_id = NEW.id AND removed_at IS NULL;
        WITH closed AS (
          UPDATE messages SET closed_to_sender = true WHERE sender_id = NEW.resource_id AND NOT closed_to_sender
          RETURNING id)
        UPDATE entities x SET owner_user_id = NULL FROM closed WHERE x.id = closed.id;
        DELETE FROM feed_audience WHERE resource_id = NEW.resource_id AND is_message;
        UPDATE feed SET place = 'administrators' WHERE place = NEW.id AND entity_type = 'message';
        RETURN NULL;
      END $$`,
    wordsFunction(messageView),
  ],
  triggers: [
    `CREATE TRIGGER outbox_keep_gathered_copies AFTER UPDATE OF status ON outbox FOR EACH ROW
      WHEN (NEW.kind = 'message_copies' AND NEW.status <> 'pending'
        OR NEW.kind = 'message_copy' AND NEW.status = 'lapsed') EXECUTE FUNCTION keep_gathered_copies()`,
    wordsTrigger(messageView),
    `CREATE TRIGGER outbox_keep_mail_copy AFTER UPDATE OF status ON outbox FOR EACH ROW
      WHEN (NEW.kind = 'message_copy' AND NEW.status IN ('sent', 'failed')) EXECUTE FUNCTION keep_mail_copy()`,
    `CREATE TRIGGER users_close_inbox AFTER UPDATE OF manager_id ON users FOR EACH ROW
      WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION close_inbox()`,
  ],
};
