/** SQL about messages, for the statements of features that have only the ids of users. */

/** SQL for `IN (...)`: the copies of messages that the user received. */
export const deliveriesTo = (user: string): string => `SELECT d.id FROM message_deliveries d WHERE d.user_id = ${user}`;

/** SQL: whether the user received the message. */
export const isDeliveredTo = (message: string, user: string): string =>
  `EXISTS (SELECT 1 FROM message_deliveries mine WHERE mine.message_id = ${message} AND mine.user_id = ${user})`;

/** SQL: whether the user received a message about the entity, and a copy of it by mail, or will receive one. */
export const isCopiedTo = (entity: string, user: string): string =>
  `EXISTS (SELECT 1 FROM messages told JOIN message_deliveries mine ON mine.message_id = told.id
    WHERE told.entity_id = ${entity} AND mine.user_id = ${user} 
      AND (mine.mail_copy = 'copied' OR mine.mail_copy IS NULL
        AND EXISTS (SELECT 1 FROM message_copies c WHERE c.delivery_id = mine.id)))`;

/** A statement that deletes the copies by mail to the user that wait or were sent. */
export const eraseCopiesTo = (user: string): string => `DELETE FROM message_copies WHERE user_id = ${user}`;

/** SQL for `FROM`: the questions among the newest unread messages of the user, of which at most `limit` are read. */
export const unreadQuestions = (alias: string, user: string, limit: number): string =>
  `(SELECT d.message_id FROM message_deliveries d WHERE d.user_id = ${user} AND d.read_at IS NULL AND d.removed_at IS NULL
    ORDER BY d.message_id DESC LIMIT ${limit}) unread
    JOIN messages ${alias} ON ${alias}.id = unread.message_id AND ${alias}.intent = 'question'`;

/**
 * A statement that replaces the names, an array, at the beginning of the messages `m` that the service sent on behalf of a
 * person and that meet the condition.
 */
export const eraseLeadingNames = (names: string, condition: string): string =>
  `UPDATE messages m SET content = 'Deleted user' || substr(m.content, char_length(named.name) + 1)
   FROM unnest(${names}) AS named (name)
   WHERE m.sender_id IS NULL AND starts_with(m.content, named.name || ' ') AND ${condition}`;
