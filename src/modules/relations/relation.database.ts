import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Relations, those that are memberships, and edges that a task has lost. */
export const RELATION_OBJECTS: DatabaseObjects = {
  functions: [
    /** Records who deleted a relation between tasks, and whether that was an author of the dependent task. */
    `CREATE FUNCTION record_deleted_edge() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO lost_edges (relation_id, lost_by, by_admin, by_author)
        SELECT NEW.id, NEW.deleted_by, NEW.deleted_by_admin, is_task_author(CASE NEW.relationship_type
          WHEN 'blocks' THEN NEW.target_entity_id ELSE NEW.source_entity_id END, s.endeavour_id, NEW.deleted_by)
          FROM tasks s JOIN tasks t ON t.endeavour_id = s.endeavour_id
        WHERE s.id = NEW.source_entity_id AND t.id = NEW.target_entity_id;
        RETURN NULL;
      END $$`,
    /** Records the relations that end because a task moves to another endeavour. */
    `CREATE FUNCTION record_parted_edges() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO lost_edges (relation_id, lost_by, by_admin, by_author)
        SELECT l.id, NEW.updated_by, true, is_task_author(CASE l.relationship_type WHEN 'blocks'
          THEN l.target_entity_id ELSE l.source_entity_id END, OLD.endeavour_id, NEW.updated_by) FROM (
            SELECT r.*, r.target_entity_id AS other FROM relations r WHERE r.source_entity_id = NEW.id
            UNION ALL SELECT r.*, r.source_entity_id FROM relations r WHERE r.target_entity_id = NEW.id) l
          JOIN tasks o ON o.id = l.other
        WHERE l.deleted_at IS NULL AND l.relationship_type IN ('parent_of', 'depends_on', 'blocks')
          AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND o.endeavour_id = OLD.endeavour_id;
        RETURN NULL;
      END $$`,
  ],
  views: [
    /** Memberships and links as relations. */
    `CREATE VIEW membership_relations AS
        SELECT m.has_member_id AS id, 'has_member'::text AS relationship_type, 'organization'::text
          AS source_entity_type,
          m.organization_id AS source_entity_id, 'resource'::text AS target_entity_type, m.resource_id
            AS target_entity_id,
          jsonb_build_object('role', m.role)::jsonb AS metadata, m.added_by::text AS added_by, m.joined_at
            AS created_at, m.organization_id::text AS organization_id,
          NULL::text AS endeavour_id, NULL::text AS team_id, m.user_id::text AS user_id, true AS is_first
        FROM organization_resources m
      UNION ALL
        SELECT m.member_of_id AS id, 'member_of'::text AS relationship_type, 'resource'::text AS source_entity_type,
          m.resource_id AS source_entity_id, 'organization'::text AS target_entity_type, m.organization_id
            AS target_entity_id,
          jsonb_build_object('role', m.role)::jsonb AS metadata, m.added_by::text AS added_by, m.joined_at
            AS created_at, m.organization_id::text AS organization_id,
          NULL::text AS endeavour_id, NULL::text AS team_id, m.user_id::text AS user_id, false AS is_first
        FROM organization_resources m
      UNION ALL
        SELECT m.has_member_id AS id, 'has_member'::text AS relationship_type, 'resource'::text AS source_entity_type,
          m.team_id AS source_entity_id, 'resource'::text AS target_entity_type, m.resource_id AS target_entity_id,
          jsonb_build_object('role', m.role)::jsonb AS metadata, NULL::text AS added_by, m.joined_at AS created_at,
            NULL::text AS organization_id,
          NULL::text AS endeavour_id, m.team_id::text AS team_id, NULL::text AS user_id, true AS is_first
        FROM team_members m
      UNION ALL
        SELECT m.member_of_id AS id, 'member_of'::text AS relationship_type, 'resource'::text AS source_entity_type,
          m.resource_id AS source_entity_id, 'resource'::text AS target_entity_type, m.team_id AS target_entity_id,
          jsonb_build_object('role', m.role)::jsonb AS metadata, NULL::text AS added_by, m.joined_at AS created_at,
            NULL::text AS organization_id,
          NULL::text AS endeavour_id, m.team_id::text AS team_id, NULL::text AS user_id, false AS is_first
        FROM team_members m
      UNION ALL
        SELECT m.belongs_to_id AS id, 'belongs_to'::text AS relationship_type, 'resource'::text AS source_entity_type,
          m.resource_id AS source_entity_id, 'endeavour'::text AS target_entity_type, m.endeavour_id
            AS target_entity_id,
          jsonb_build_object('role', m.role, 'stakeholder_roles', m.stakeholder_roles)::jsonb AS metadata,
            m.added_by::text AS added_by, m.joined_at AS created_at, NULL::text AS organization_id,
          m.endeavour_id::text AS endeavour_id, NULL::text AS team_id, m.user_id::text AS user_id, true AS is_first
        FROM endeavour_members m
      UNION ALL
        SELECT m.participates_in_id AS id, 'participates_in'::text AS relationship_type, 'resource'::text
          AS source_entity_type,
          m.resource_id AS source_entity_id, 'endeavour'::text AS target_entity_type, m.endeavour_id
            AS target_entity_id,
          jsonb_build_object('role', m.role, 'stakeholder_roles', m.stakeholder_roles)::jsonb AS metadata,
            m.added_by::text AS added_by, m.joined_at AS created_at, NULL::text AS organization_id,
          m.endeavour_id::text AS endeavour_id, NULL::text AS team_id, m.user_id::text AS user_id, false AS is_first
        FROM endeavour_members m
      UNION ALL
        SELECT m.belongs_to_id AS id, 'belongs_to'::text AS relationship_type, 'endeavour'::text
          AS source_entity_type,
          m.endeavour_id AS source_entity_id, 'organization'::text AS target_entity_type, m.organization_id
            AS target_entity_id,
          '{}'::jsonb AS metadata, m.linked_by::text AS added_by, m.linked_at AS created_at,
            m.organization_id::text AS organization_id,
          m.endeavour_id::text AS endeavour_id, NULL::text AS team_id, NULL::text AS user_id, true AS is_first
        FROM organization_endeavours m
      UNION ALL
        SELECT 'rel_' || md5('member_of' || m.belongs_to_id) AS id, 'member_of'::text AS relationship_type,
          'resource'::text AS source_entity_type,
          m.resource_id AS source_entity_id, 'endeavour'::text AS target_entity_type, m.endeavour_id
            AS target_entity_id,
          jsonb_build_object('role', m.role, 'stakeholder_roles', m.stakeholder_roles)::jsonb AS metadata,
            m.added_by::text AS added_by, m.joined_at AS created_at, NULL::text AS organization_id,
          m.endeavour_id::text AS endeavour_id, NULL::text AS team_id, m.user_id::text AS user_id, false AS is_first
        FROM endeavour_members m
      UNION ALL
        SELECT 'rel_' || md5('participates_in' || m.belongs_to_id) AS id, 'participates_in'::text
          AS relationship_type, 'organization'::text AS source_entity_type,
          m.organization_id AS source_entity_id, 'endeavour'::text AS target_entity_type, m.endeavour_id
            AS target_entity_id,
          '{}'::jsonb AS metadata, m.linked_by::text AS added_by, m.linked_at AS created_at,
            m.organization_id::text AS organization_id,
          m.endeavour_id::text AS endeavour_id, NULL::text AS team_id, NULL::text AS user_id, false AS is_first
        FROM organization_endeavours m`,
    /** The resources that an entity names. */
    `CREATE VIEW entity_people AS
      SELECT id AS entity_id, assignee_id AS resource_id FROM tasks WHERE assignee_id IS NOT NULL
      UNION ALL SELECT id, owner_id FROM tasks
      UNION ALL SELECT id, creator_id FROM tasks
      UNION ALL SELECT id, owner_id FROM demands
      UNION ALL SELECT id, creator_id FROM demands
      UNION ALL SELECT id, created_by FROM artifacts
      UNION ALL SELECT id, created_by FROM endeavours WHERE created_by IS NOT NULL
      UNION ALL SELECT id, created_by FROM rituals WHERE created_by IS NOT NULL
      UNION ALL SELECT id, author_id FROM comments`,
    /** Relations that are not deleted. */
    `CREATE VIEW current_relations AS SELECT id, relationship_type, source_entity_id, target_entity_id FROM relations
      WHERE deleted_at IS NULL`,
  ],
  triggers: [
    `CREATE TRIGGER relations_record_deleted_edge AFTER UPDATE OF deleted_at ON relations FOR EACH ROW
             WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND NEW.relationship_type IN ('parent_of',
               'depends_on', 'blocks') AND NEW.source_entity_type = 'task'
      AND NEW.target_entity_type = 'task')
             EXECUTE FUNCTION record_deleted_edge()`,
    `CREATE TRIGGER tasks_record_parted_edges AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION record_parted_edges()`,
  ],
};
