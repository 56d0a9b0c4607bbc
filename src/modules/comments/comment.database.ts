import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { commentView } from './comment.view.js';

/** Earlier texts of a comment are kept. */
export const COMMENT_OBJECTS: DatabaseObjects = {
  functions: [
    /** Keeps the text that an edit replaces. */
    `CREATE FUNCTION keep_comment_text() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO comment_texts (comment_id, content, written_at, replaced_at)
        VALUES (OLD.id, OLD.content, coalesce(OLD.edited_at, OLD.created_at), clock_timestamp());
        RETURN NULL;
      END $$`,
    wordsFunction(commentView),
  ],
  triggers: [
    `CREATE TRIGGER comments_keep_text AFTER UPDATE OF content ON comments FOR EACH ROW
      WHEN (NEW.content <> OLD.content) EXECUTE FUNCTION keep_comment_text()`,
    wordsTrigger(commentView),
  ],
};
