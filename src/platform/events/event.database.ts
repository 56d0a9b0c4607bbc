import type { DatabaseObjects } from '../database/schema/database-objects.js';

/** Events are immutable, and know the transaction that wrote them. */
export const EVENT_OBJECTS: DatabaseObjects = {
  functions: [
    /** The number of the current transaction, by which the feed finds events that became visible late. */
    `CREATE FUNCTION this_transaction() RETURNS bigint LANGUAGE sql VOLATILE AS $$
      SELECT pg_current_xact_id()::text::bigint $$`,
    /** The rule whose actions the transaction carries out, which events and comments name; null otherwise. */
    `CREATE FUNCTION acting_rule() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT nullif(current_setting('worksmith.rule', true), '') $$`,
    /** Refuses to change or delete a row, except while something is erased. */
    `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('worksmith.erasing', true) = 'on' THEN
          RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER comment_texts_immutable BEFORE UPDATE OR DELETE ON comment_texts FOR EACH ROW
      EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER events_immutable BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER messages_immutable BEFORE DELETE OR UPDATE OF id, created_at, sender_id, subject, content, intent,
      reply_to_id, thread_id, entity_type, entity_id, scope_type, scope_id, metadata
      ON messages FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ],
};
