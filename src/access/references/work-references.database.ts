import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { actsAsAdministrator } from '../visibility/people.view.js';
import { endeavoursOf } from '../visibility/visibility.js';

/** So many references are looked at, the newest, and so many things that refer are shown. */
export const MOST_REFERENCES = 1000;
export const MOST_SHOWN = 20;

/** What a text that is replaced may have named; the same as `mayNameKeys`. */
const MAY_NAME_KEYS = `~ '[A-Z0-9]-[1-9]'`;

/** The texts that can name keys, by table. */
const TEXTS = { tasks: 'description', demands: 'description', comments: 'content' };

/** The tasks and demands that descriptions and comments name by their keys. */
export const WORK_REFERENCE_OBJECTS: DatabaseObjects = {
  functions: [
    /** A text that is replaced or deleted refers to nothing. */
    `CREATE FUNCTION forget_references() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM work_references r WHERE r.source_id = NEW.id;
        RETURN NULL;
      END $$`,
    /** A task or demand knows that something has referred to it, so that reading any other one looks for nothing. */
    `CREATE FUNCTION mark_referenced() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.target_id LIKE 'tsk%' THEN
          UPDATE tasks SET has_references = true WHERE id = NEW.target_id AND NOT has_references;
        ELSE
          UPDATE demands SET has_references = true WHERE id = NEW.target_id AND NOT has_references;
        END IF;
        RETURN NULL;
      END $$`,
    /** What refers to a task or demand, of that which the caller sees, and how much of it there is. */
    `CREATE FUNCTION references_of(target text, caller text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (WITH newest AS (
            SELECT r.entity_id, r.created_at FROM work_references r WHERE r.target_id = target
            ORDER BY r.created_at DESC LIMIT ${MOST_REFERENCES}),
          named AS (SELECT n.entity_id, max(n.created_at) AS at FROM newest n GROUP BY n.entity_id),
          seen AS (
            SELECT x.id, x.kind, x.title, n.at FROM named n JOIN entities x ON x.id = n.entity_id
            WHERE x.deleted_at IS NULL AND (${actsAsAdministrator('caller')}
              OR x.endeavour_id = ANY(ARRAY(${endeavoursOf('caller')})))),
          shown AS (SELECT * FROM seen s ORDER BY s.at DESC, s.id LIMIT ${MOST_SHOWN})
          SELECT json_build_object('total', (SELECT count(*) FROM seen), 'items', coalesce((
            SELECT json_agg(json_build_object('entity_type', s.kind, 'entity_id', s.id,
                'key', (SELECT k.key FROM work_keys k WHERE k.entity_id = s.id), 'title', s.title)
              ORDER BY s.at DESC, s.id) FROM shown s), '[]')));
      END $$`,
  ],
  views: [
    /** The texts that can name keys, with what they belong to. */
    `CREATE VIEW referring_texts AS
      SELECT t.id AS source_id, t.id AS entity_id, t.description AS content FROM tasks t
      UNION ALL
      SELECT d.id, d.id, d.description FROM demands d
      UNION ALL
      SELECT c.id, c.entity_id, c.content FROM comments c`,
  ],
  triggers: [
    ...Object.entries(TEXTS).map(
      ([table, column]) => `CREATE TRIGGER ${table}_forget_references AFTER UPDATE OF ${column} ON ${table} FOR EACH ROW
        WHEN (OLD.${column} IS DISTINCT FROM NEW.${column} AND OLD.${column} ${MAY_NAME_KEYS}) EXECUTE FUNCTION forget_references()`,
    ),
    `CREATE TRIGGER work_references_mark AFTER INSERT ON work_references FOR EACH ROW EXECUTE FUNCTION mark_referenced()`,
  ],
};
