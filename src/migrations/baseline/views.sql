-- The views of the baseline, and the functions with a row of a table or view as parameter. Not changed any more.

CREATE VIEW endeavour_grants AS
  SELECT user_id, endeavour_id, role_rank(role) AS rank, NULL::text AS organization_id FROM endeavour_members
  UNION ALL
  SELECT member.user_id, link.endeavour_id,
         CASE WHEN link.is_home THEN role_rank(member.role) ELSE least(role_rank(member.role), 2) END,
         link.organization_id
  FROM organization_resources member JOIN organization_endeavours link USING (organization_id)
  WHERE member.user_id IS NOT NULL
    AND (NOT link.is_private OR (link.is_home AND role_rank(member.role) >= 3));
CREATE VIEW endeavour_workers AS
  SELECT endeavour_id, assignee_id AS resource_id, status IN ('planned', 'active') AS is_open
  FROM tasks WHERE assignee_id IS NOT NULL
  UNION ALL SELECT endeavour_id, owner_id, status IN ('planned', 'active') FROM tasks
  UNION ALL SELECT endeavour_id, owner_id, status IN ('open', 'in_progress') FROM demands;
CREATE VIEW confined.endeavour_grants AS
   SELECT g.user_id, g.endeavour_id,
     CASE WHEN g.user_id = nullif(current_setting('worksmith.agent', true), '')
       THEN least(g.rank, confined.rank_limit(g.endeavour_id)) ELSE g.rank END AS rank,
     g.organization_id
   FROM endeavour_grants g
   WHERE (current_setting('worksmith.container', true) = ''
     OR g.endeavour_id = current_setting('worksmith.container', true)
     OR g.endeavour_id IN (SELECT e.id FROM endeavours e
       WHERE e.organization_id = current_setting('worksmith.container', true)))
     AND ((g.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
       OR confined.rank_limit(g.endeavour_id) IS NOT NULL);
CREATE VIEW confined.organization_resources AS
   SELECT m.* FROM organization_resources m
   WHERE (current_setting('worksmith.container', true) = ''
     OR m.organization_id = current_setting('worksmith.container', true)
       OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
             WHERE l.endeavour_id = current_setting('worksmith.container', true))
           AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
     AND ((m.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
       OR confined.role_limit(m.organization_id) >= role_rank(m.role))
   WITH CHECK OPTION;
CREATE VIEW confined.entities AS
  SELECT x.* FROM entities x
  WHERE (x.kind <> 'message' OR nullif(current_setting('worksmith.maker', true), '') IS NULL
     OR NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = x.id))
   AND (current_setting('worksmith.container', true) = ''
    OR x.endeavour_id = current_setting('worksmith.container', true)
    OR x.endeavour_id IN (SELECT e.id FROM endeavours e
      WHERE e.organization_id = current_setting('worksmith.container', true))
    OR x.organization_id = current_setting('worksmith.container', true)
    OR (CASE WHEN x.kind IN ('endeavour', 'message') THEN x.deleted_at IS NULL ELSE x.kind IN ('user', 'resource') END
      AND confined.allows(x.id, x.kind,
        x.endeavour_id IS NOT NULL OR x.organization_id IS NOT NULL OR x.is_global)))
  WITH CHECK OPTION;
CREATE VIEW confined.operations AS
  SELECT op.* FROM operations op
  WHERE current_setting('worksmith.container', true) = ''
    OR op.container_id = current_setting('worksmith.container', true)
    OR op.container_id IN (SELECT e.id FROM endeavours e
      WHERE e.organization_id = current_setting('worksmith.container', true))
  WITH CHECK OPTION;
CREATE VIEW demand_states AS SELECT id, endeavour_id, status FROM demands;
CREATE VIEW task_dependencies AS
  SELECT l.id AS relation_id, l.source_entity_id AS task_id, l.target_entity_id AS blocker_id FROM relations l
  WHERE l.relationship_type = 'depends_on' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
    AND l.deleted_at IS NULL
       UNION ALL
  SELECT l.id AS relation_id, l.target_entity_id AS task_id, l.source_entity_id AS blocker_id FROM relations l
  WHERE l.relationship_type = 'blocks' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
    AND l.deleted_at IS NULL;
CREATE VIEW import_requests AS
  SELECT i.endeavour_id, coalesce(op.request_id, op.id) AS request_id, op.created_by AS actor_id, op.created_at,
    op.finished_at
  FROM imports i JOIN operations op ON op.id = i.operation_id;
CREATE VIEW invited_users AS
  SELECT i.id AS invitation_id, u.id AS user_id FROM invitations i
    JOIN LATERAL (SELECT own.id FROM users own WHERE own.id = i.invitee UNION ALL
      SELECT own.id FROM users own WHERE own.email = i.invitee) u ON true
  WHERE i.is_open AND NOT i.is_muted AND i.deleted_at IS NULL AND i.expires_at > now();
CREATE VIEW membership_relations AS
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
    FROM organization_endeavours m;
CREATE VIEW entity_people AS
  SELECT id AS entity_id, assignee_id AS resource_id FROM tasks WHERE assignee_id IS NOT NULL
  UNION ALL SELECT id, owner_id FROM tasks
  UNION ALL SELECT id, creator_id FROM tasks
  UNION ALL SELECT id, owner_id FROM demands
  UNION ALL SELECT id, creator_id FROM demands
  UNION ALL SELECT id, created_by FROM artifacts
  UNION ALL SELECT id, created_by FROM endeavours WHERE created_by IS NOT NULL
  UNION ALL SELECT id, created_by FROM rituals WHERE created_by IS NOT NULL
  UNION ALL SELECT id, author_id FROM comments;
CREATE VIEW current_relations AS SELECT id, relationship_type, source_entity_id, target_entity_id FROM relations
  WHERE deleted_at IS NULL;
CREATE VIEW task_states AS SELECT id, endeavour_id, demand_id, status, blocked_by_count FROM tasks;
CREATE VIEW task_contributions AS SELECT task_id, created_by AS resource_id, created_at FROM artifacts
  UNION ALL SELECT task_id, posted_by, created_at FROM dod_results
  UNION ALL SELECT entity_id, author_id, created_at FROM comments WHERE entity_type = 'task'
  UNION ALL SELECT entity_id, author_id, edited_at FROM comments WHERE entity_type = 'task'
    AND edited_at IS NOT NULL
  UNION ALL SELECT target_entity_id, created_by, created_at FROM relations
    WHERE target_entity_type = 'task' AND source_entity_type = 'artifact'
  UNION ALL SELECT source_entity_id, created_by, created_at FROM relations
    WHERE source_entity_type = 'task' AND target_entity_type = 'artifact';

CREATE FUNCTION feed_place(x entities, type text, actor text) RETURNS text STABLE LANGUAGE plpgsql AS $$
        BEGIN
          IF x.kind NOT IN ('message', 'invitation', 'webhook', 'access_token') AND type <> 'alert.raised' THEN
            RETURN coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
    CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END);
          END IF;
          RETURN CASE
    WHEN x.kind = 'message' AND type <> 'message.sent'
      THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
    WHEN x.kind = 'invitation' THEN coalesce((
      SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id), 'administrators')
    WHEN type = 'alert.raised' OR x.kind = 'webhook'
      THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
    WHEN x.kind = 'access_token'
      THEN coalesce((SELECT u.manager_id FROM users u WHERE u.id = x.owner_user_id), x.owner_user_id, 'administrators')
    ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
    CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
  END;
        END $$;
CREATE FUNCTION confined.feed_place(x confined.entities, type text, actor text) RETURNS text
  LANGUAGE sql STABLE AS $$ SELECT public.feed_place(ROW(x.*)::public.entities, type, actor) $$;
CREATE FUNCTION is_of_team(team resources, member text) RETURNS boolean LANGUAGE sql STABLE AS $$
     SELECT CASE WHEN team.organization_id IS NOT NULL
       THEN EXISTS (SELECT 1 FROM organization_resources m
                    WHERE m.organization_id = team.organization_id AND m.resource_id = member)
       ELSE member = team.created_by OR EXISTS (SELECT 1 FROM resources own WHERE own.id = member
              AND own.created_by = team.created_by AND own.user_id IS NULL AND own.organization_id IS NULL) END $$;
