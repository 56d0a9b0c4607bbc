-- The triggers of the baseline; docs/triggers.md lists those of today. Not changed any more.

CREATE TRIGGER access_tokens_delete_ended AFTER UPDATE OF ended_at ON access_tokens
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION delete_ended_token();
CREATE TRIGGER endeavour_members_former AFTER DELETE ON endeavour_members
  FOR EACH ROW EXECUTE FUNCTION keep_former_member('endeavour_id');
CREATE TRIGGER endeavour_members_lowered AFTER UPDATE OF role ON endeavour_members
  FOR EACH ROW WHEN (role_rank(NEW.role) < role_rank(OLD.role)) EXECUTE FUNCTION keep_lowered_role('endeavour_id');
CREATE TRIGGER organization_resources_former AFTER DELETE ON organization_resources
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION keep_former_member('organization_id');
CREATE TRIGGER organization_resources_lowered AFTER UPDATE OF role ON organization_resources
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL AND role_rank(NEW.role) < role_rank(OLD.role))
  EXECUTE FUNCTION keep_lowered_role('organization_id');
CREATE TRIGGER entities_tell_moved_away AFTER UPDATE OF endeavour_id, organization_id ON entities
  FOR EACH ROW WHEN (coalesce(OLD.endeavour_id, OLD.organization_id)
  IS DISTINCT FROM coalesce(NEW.endeavour_id, NEW.organization_id)
  AND coalesce(OLD.endeavour_id, OLD.organization_id) IS NOT NULL
  AND OLD.id <> coalesce(OLD.endeavour_id, OLD.organization_id) AND NEW.deleted_at IS NULL AND (NEW.parent_id IS NULL
  OR OLD.parent_id IS DISTINCT FROM NEW.parent_id)) EXECUTE FUNCTION tell_moved_away();
CREATE TRIGGER users_replace_token_events AFTER UPDATE OF manager_id ON users
  FOR EACH ROW WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION replace_token_events();
CREATE TRIGGER organization_resources_lose_manager AFTER DELETE ON organization_resources
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION replace_manager();
CREATE TRIGGER organization_resources_replace_manager AFTER UPDATE OF role ON organization_resources
  FOR EACH ROW WHEN (role_rank(OLD.role) >= 3 AND role_rank(NEW.role) < 3) EXECUTE FUNCTION replace_manager();
CREATE TRIGGER users_keep_former_manager AFTER UPDATE OF manager_id ON users
  FOR EACH ROW WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id AND OLD.manager_id IS NOT NULL)
  EXECUTE FUNCTION keep_former_manager();
CREATE TRIGGER users_name_agent AFTER INSERT ON users FOR EACH ROW WHEN (NEW.is_managed) EXECUTE FUNCTION
  name_agents();
CREATE TRIGGER users_rename_agents AFTER UPDATE OF name, manager_id ON users
  FOR EACH ROW WHEN ((NEW.name, NEW.manager_id) IS DISTINCT FROM (OLD.name, OLD.manager_id))
  EXECUTE FUNCTION name_agents();
CREATE TRIGGER users_replace_former_administrator AFTER UPDATE OF is_admin ON users
  FOR EACH ROW WHEN (OLD.is_admin AND NOT NEW.is_admin) EXECUTE FUNCTION replace_former_administrator();
CREATE TRIGGER approvals_immutable BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_approval();
CREATE TRIGGER approvals_store_standing BEFORE INSERT ON approvals
  FOR EACH ROW WHEN (NEW.entity_type = 'task') EXECUTE FUNCTION store_standing();
CREATE TRIGGER artifacts_keep_content_changes BEFORE UPDATE ON artifacts
  FOR EACH ROW WHEN ((OLD.kind, OLD.title, OLD.url, OLD.summary)
  IS DISTINCT FROM (NEW.kind, NEW.title, NEW.url, NEW.summary)) EXECUTE FUNCTION keep_content_changes();
CREATE TRIGGER demands_keep_content_changes BEFORE UPDATE ON demands
  FOR EACH ROW WHEN ((OLD.title, OLD.description, OLD.priority)
  IS DISTINCT FROM (NEW.title, NEW.description, NEW.priority)) EXECUTE FUNCTION keep_content_changes();
CREATE TRIGGER dod_policies_keep_content_changes BEFORE UPDATE ON dod_policies
  FOR EACH ROW WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
  EXECUTE FUNCTION keep_content_changes();
CREATE CONSTRAINT TRIGGER endeavour_members_end_rejecters AFTER INSERT OR UPDATE
  OR DELETE ON endeavour_members DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters();
CREATE TRIGGER endeavours_keep_content_changes BEFORE UPDATE ON endeavours
  FOR EACH ROW WHEN ((OLD.name, OLD.description, jsonb_path_query_array(OLD.goals, '$[*].title'))
  IS DISTINCT FROM (NEW.name, NEW.description, jsonb_path_query_array(NEW.goals, '$[*].title')))
  EXECUTE FUNCTION keep_content_changes();
CREATE CONSTRAINT TRIGGER organization_endeavours_end_rejecters AFTER INSERT OR UPDATE
  OR DELETE ON organization_endeavours DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters();
CREATE CONSTRAINT TRIGGER organization_resources_end_rejecters AFTER INSERT OR UPDATE
  OR DELETE ON organization_resources DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (true) EXECUTE FUNCTION record_ended_rejecters();
CREATE TRIGGER rituals_keep_content_changes BEFORE UPDATE ON rituals
  FOR EACH ROW WHEN ((OLD.name, OLD.description, OLD.prompt, OLD.schedule)
  IS DISTINCT FROM (NEW.name, NEW.description, NEW.prompt, NEW.schedule)) EXECUTE FUNCTION keep_content_changes();
CREATE TRIGGER rituals_keep_task_changes BEFORE UPDATE ON rituals
  FOR EACH ROW WHEN (OLD.task IS DISTINCT FROM NEW.task) EXECUTE FUNCTION keep_content_changes();
CREATE TRIGGER tasks_keep_content_changes BEFORE UPDATE ON tasks
  FOR EACH ROW WHEN ((OLD.title, OLD.description) IS DISTINCT FROM (NEW.title, NEW.description))
  EXECUTE FUNCTION keep_content_changes();
CREATE TRIGGER users_close_rejecters AFTER UPDATE OF closed_by ON users
  FOR EACH ROW WHEN (NEW.closed_by IS NOT NULL) EXECUTE FUNCTION record_closed_rejecters();
CREATE CONSTRAINT TRIGGER users_end_rejecters AFTER UPDATE ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (((OLD.manager_id, OLD.is_admin) IS DISTINCT FROM (NEW.manager_id, NEW.is_admin)))
  EXECUTE FUNCTION record_ended_rejecters();
CREATE TRIGGER artifacts_keep_evidence BEFORE INSERT OR UPDATE ON artifacts
  FOR EACH ROW EXECUTE FUNCTION keep_evidence();
CREATE TRIGGER artifacts_keep_words BEFORE INSERT OR UPDATE OF title, summary ON artifacts
  FOR EACH ROW EXECUTE FUNCTION keep_artifacts_words();
CREATE TRIGGER audit_checkpoints_immutable BEFORE UPDATE OR DELETE ON audit_checkpoints
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_checkpoints_not_emptied BEFORE TRUNCATE ON audit_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_immutable BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_unsealed AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION await_audit_seal();
CREATE TRIGGER audit_seals_immutable BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_seals_not_emptied BEFORE TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER comments_keep_text AFTER UPDATE OF content ON comments
  FOR EACH ROW WHEN (NEW.content <> OLD.content) EXECUTE FUNCTION keep_comment_text();
CREATE TRIGGER comments_keep_words BEFORE INSERT OR UPDATE OF content ON comments
  FOR EACH ROW EXECUTE FUNCTION keep_comments_words();
CREATE TRIGGER demands_derive_dates BEFORE UPDATE ON demands
  FOR EACH ROW WHEN (NEW.due_day IS NOT NULL AND (NEW.due_day IS DISTINCT FROM OLD.due_day OR NEW.due_date
  IS DISTINCT FROM OLD.due_date OR NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id))
  EXECUTE FUNCTION derive_due_date();
CREATE TRIGGER demands_derive_new_dates BEFORE INSERT ON demands
  FOR EACH ROW WHEN (NEW.due_day IS NOT NULL) EXECUTE FUNCTION derive_due_date();
CREATE TRIGGER demands_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref ON demands
  FOR EACH ROW EXECUTE FUNCTION keep_words();
CREATE TRIGGER tasks_derive_dates BEFORE UPDATE ON tasks FOR EACH ROW WHEN (NEW.due_day IS NOT NULL AND (NEW.due_day
  IS DISTINCT FROM OLD.due_day OR NEW.due_date IS DISTINCT FROM OLD.due_date OR NEW.endeavour_id
  IS DISTINCT FROM OLD.endeavour_id)) EXECUTE FUNCTION derive_due_date();
CREATE TRIGGER tasks_derive_new_dates BEFORE INSERT ON tasks
  FOR EACH ROW WHEN (NEW.due_day IS NOT NULL) EXECUTE FUNCTION derive_due_date();
CREATE TRIGGER tasks_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref ON tasks
  FOR EACH ROW EXECUTE FUNCTION keep_words();
CREATE TRIGGER relations_count_on_delete AFTER DELETE ON relations
  FOR EACH ROW WHEN (OLD.relationship_type IN ('depends_on', 'blocks') AND OLD.source_entity_type = 'task'
  AND OLD.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation();
CREATE TRIGGER relations_count_on_insert AFTER INSERT ON relations
  FOR EACH ROW WHEN (NEW.relationship_type IN ('depends_on', 'blocks') AND NEW.source_entity_type = 'task'
  AND NEW.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation();
CREATE TRIGGER relations_count_on_update AFTER UPDATE OF deleted_at ON relations
  FOR EACH ROW WHEN (NEW.relationship_type IN ('depends_on', 'blocks') AND NEW.source_entity_type = 'task'
  AND NEW.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation();
CREATE TRIGGER tasks_count_for_dependents AFTER UPDATE OF status, endeavour_id ON tasks
  FOR EACH ROW WHEN ((OLD.status IN ('planned', 'active')) <> (NEW.status IN ('planned', 'active'))
  OR OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION count_for_dependents();
CREATE TRIGGER tasks_count_own_blockers BEFORE UPDATE OF endeavour_id ON tasks
  FOR EACH ROW WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION count_own_blockers();
CREATE TRIGGER dod_checks_keep BEFORE UPDATE OR DELETE ON dod_checks
  FOR EACH ROW WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION keep_dod_record();
CREATE TRIGGER dod_policies_keep BEFORE UPDATE ON dod_policies
  FOR EACH ROW WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_policy();
CREATE TRIGGER dod_policies_keep_words BEFORE INSERT OR UPDATE OF name, description ON dod_policies
  FOR EACH ROW EXECUTE FUNCTION keep_dod_policies_words();
CREATE TRIGGER dod_results_keep BEFORE UPDATE OR DELETE ON dod_results
  FOR EACH ROW WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION keep_dod_record();
CREATE TRIGGER endeavour_members_leave_endorsements AFTER UPDATE OR DELETE ON endeavour_members
  FOR EACH ROW EXECUTE FUNCTION leave_endorsements();
CREATE TRIGGER organization_endeavours_leave_endorsements AFTER UPDATE OR DELETE ON organization_endeavours
  FOR EACH ROW EXECUTE FUNCTION leave_endorsements();
CREATE TRIGGER organization_resources_leave_endorsements AFTER UPDATE OR DELETE ON organization_resources
  FOR EACH ROW EXECUTE FUNCTION leave_endorsements();
CREATE TRIGGER endeavours_derive_dates BEFORE UPDATE ON endeavours
  FOR EACH ROW WHEN ((NEW.start_day IS NOT NULL OR NEW.end_day IS NOT NULL) AND (NEW.start_day
  IS DISTINCT FROM OLD.start_day OR NEW.start_date IS DISTINCT FROM OLD.start_date OR NEW.end_day
  IS DISTINCT FROM OLD.end_day OR NEW.end_date IS DISTINCT FROM OLD.end_date OR NEW.timezone
  IS DISTINCT FROM OLD.timezone)) EXECUTE FUNCTION derive_endeavour_dates();
CREATE TRIGGER endeavours_derive_new_dates BEFORE INSERT ON endeavours
  FOR EACH ROW EXECUTE FUNCTION derive_endeavour_dates();
CREATE TRIGGER endeavours_keep_words BEFORE INSERT OR UPDATE OF name, description ON endeavours
  FOR EACH ROW EXECUTE FUNCTION keep_endeavours_words();
CREATE TRIGGER endeavours_stop_erasure BEFORE UPDATE OF status ON endeavours
  FOR EACH ROW WHEN (NEW.erasure_at IS NOT NULL AND NEW.status <> 'archived') EXECUTE FUNCTION stop_erasure();
CREATE TRIGGER organizations_stop_erasure BEFORE UPDATE OF status ON organizations
  FOR EACH ROW WHEN (NEW.erasure_at IS NOT NULL AND NEW.status <> 'archived') EXECUTE FUNCTION stop_erasure();
CREATE TRIGGER entities_take_dependants_along AFTER UPDATE OF endeavour_id, organization_id, owner_user_id, is_global,
  deleted_at ON entities FOR EACH ROW WHEN ((NEW.endeavour_id, NEW.organization_id, NEW.owner_user_id, NEW.is_global,
  NEW.deleted_at) IS DISTINCT FROM (OLD.endeavour_id, OLD.organization_id, OLD.owner_user_id, OLD.is_global,
  OLD.deleted_at)) EXECUTE FUNCTION take_dependants_along();
CREATE TRIGGER comment_texts_immutable BEFORE UPDATE OR DELETE ON comment_texts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_immutable BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER messages_immutable BEFORE DELETE OR UPDATE OF id, created_at, sender_id, subject, content, intent,
  reply_to_id, thread_id, entity_type, entity_id, scope_type, scope_id, metadata ON messages
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outbox_keep_invitation_mail AFTER UPDATE OF status ON outbox
  FOR EACH ROW WHEN (NEW.kind = 'invitation' AND NEW.status <> 'pending') EXECUTE FUNCTION keep_invitation_mail();
CREATE TRIGGER outbox_keep_gathered_copies AFTER UPDATE OF status ON outbox
  FOR EACH ROW WHEN (NEW.kind = 'message_copies' AND NEW.status <> 'pending' OR NEW.kind = 'message_copy'
  AND NEW.status = 'lapsed') EXECUTE FUNCTION keep_gathered_copies();
CREATE TRIGGER messages_keep_words BEFORE INSERT OR UPDATE OF subject, content ON messages
  FOR EACH ROW EXECUTE FUNCTION keep_messages_words();
CREATE TRIGGER outbox_keep_mail_copy AFTER UPDATE OF status ON outbox
  FOR EACH ROW WHEN (NEW.kind = 'message_copy' AND NEW.status IN ('sent', 'failed')) EXECUTE FUNCTION keep_mail_copy();
CREATE TRIGGER users_close_inbox AFTER UPDATE OF manager_id ON users
  FOR EACH ROW WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION close_inbox();
CREATE TRIGGER organizations_keep_words BEFORE INSERT OR UPDATE OF name, description ON organizations
  FOR EACH ROW EXECUTE FUNCTION keep_organizations_words();
CREATE TRIGGER relations_record_deleted_edge AFTER UPDATE OF deleted_at ON relations
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
  AND NEW.relationship_type IN ('parent_of', 'depends_on', 'blocks') AND NEW.source_entity_type = 'task'
  AND NEW.target_entity_type = 'task') EXECUTE FUNCTION record_deleted_edge();
CREATE TRIGGER tasks_record_parted_edges AFTER UPDATE OF endeavour_id ON tasks
  FOR EACH ROW WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION record_parted_edges();
CREATE TRIGGER demands_lapse_votes AFTER UPDATE OF status ON demands
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lapse_votes();
CREATE TRIGGER demands_lapse_votes_on_content AFTER UPDATE ON demands
  FOR EACH ROW WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes)
  EXECUTE FUNCTION lapse_votes_on_content();
CREATE TRIGGER demands_lapse_votes_on_owner AFTER UPDATE OF owner_id ON demands
  FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION lapse_votes();
CREATE TRIGGER organization_resources_leave_teams AFTER DELETE ON organization_resources
  FOR EACH ROW EXECUTE FUNCTION leave_teams();
CREATE TRIGGER resources_keep_words BEFORE INSERT OR UPDATE OF name ON resources
  FOR EACH ROW EXECUTE FUNCTION keep_resources_words();
CREATE TRIGGER resources_leave_team_behind AFTER UPDATE OF organization_id ON resources
  FOR EACH ROW WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION leave_team_behind();
CREATE TRIGGER tasks_lapse_votes AFTER UPDATE OF status ON tasks
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lapse_votes();
CREATE TRIGGER tasks_lapse_votes_on_content AFTER UPDATE ON tasks
  FOR EACH ROW WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes)
  EXECUTE FUNCTION lapse_votes_on_content();
CREATE TRIGGER tasks_lapse_votes_on_owner AFTER UPDATE OF owner_id ON tasks
  FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION lapse_votes();
CREATE TRIGGER team_members_keep_history AFTER INSERT OR DELETE ON team_members
  FOR EACH ROW EXECUTE FUNCTION keep_team_membership();
CREATE TRIGGER endeavours_replan_rituals AFTER UPDATE OF timezone ON endeavours
  FOR EACH ROW WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION replan_rituals();
CREATE TRIGGER rituals_keep_words BEFORE INSERT OR UPDATE OF name, description ON rituals
  FOR EACH ROW EXECUTE FUNCTION keep_rituals_words();
CREATE TRIGGER tasks_correct_closed_hours AFTER UPDATE OF actual ON tasks
  FOR EACH ROW WHEN (OLD.actual IS DISTINCT FROM NEW.actual AND OLD.status = NEW.status
  AND NEW.status IN ('done', 'canceled')) EXECUTE FUNCTION correct_closed_hours();
CREATE TRIGGER tasks_keep_assignments AFTER UPDATE ON tasks FOR EACH ROW WHEN ((OLD.assignee_id IS NOT NULL OR
  NEW.assignee_id IS NOT NULL) AND (OLD.revision <> NEW.revision OR OLD.assignee_id IS DISTINCT FROM NEW.assignee_id))
  EXECUTE FUNCTION keep_task_assignment();
CREATE TRIGGER tasks_keep_first_assignment AFTER INSERT ON tasks
  FOR EACH ROW WHEN (NEW.assignee_id IS NOT NULL) EXECUTE FUNCTION keep_task_assignment();
CREATE TRIGGER tasks_keep_metadata_changes BEFORE UPDATE ON tasks
  FOR EACH ROW WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION keep_metadata_changes();
CREATE TRIGGER tasks_keep_status AFTER INSERT OR UPDATE OF status ON tasks
  FOR EACH ROW EXECUTE FUNCTION keep_task_status();
CREATE TRIGGER tasks_renew_round BEFORE UPDATE ON tasks FOR EACH ROW WHEN ((OLD.status = 'done' AND (NEW.status <>
  'done' OR OLD.dod_result IS DISTINCT FROM NEW.dod_result OR OLD.content_changes IS DISTINCT FROM NEW.content_changes))
  OR OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at OR (NEW.attested_at IS NULL
  AND NEW.attestations IS NOT NULL)) EXECUTE FUNCTION renew_round();
CREATE TRIGGER tasks_take_status_history_along AFTER UPDATE OF endeavour_id ON tasks
  FOR EACH ROW WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION take_status_history_along();
CREATE TRIGGER templates_keep_words BEFORE INSERT OR UPDATE OF name, body ON templates
  FOR EACH ROW EXECUTE FUNCTION keep_templates_words();
CREATE TRIGGER endeavour_members_tell_sight AFTER INSERT OR DELETE ON endeavour_members
  FOR EACH ROW EXECUTE FUNCTION tell_sight_of_member();
CREATE TRIGGER endeavours_mark_links AFTER UPDATE OF organization_id, is_private ON endeavours
  FOR EACH ROW WHEN ((NEW.organization_id, NEW.is_private) IS DISTINCT FROM (OLD.organization_id, OLD.is_private))
  EXECUTE FUNCTION mark_links();
CREATE TRIGGER organization_endeavours_mark BEFORE INSERT ON organization_endeavours
  FOR EACH ROW EXECUTE FUNCTION mark_link();
CREATE TRIGGER organization_endeavours_tell_sight AFTER INSERT OR UPDATE OR DELETE ON organization_endeavours
  FOR EACH ROW EXECUTE FUNCTION tell_sight_of_link();
CREATE TRIGGER organization_resources_tell_sight_changed AFTER UPDATE OF role ON organization_resources
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.role <> OLD.role)
  EXECUTE FUNCTION tell_sight_of_organization_member();
CREATE TRIGGER organization_resources_tell_sight_gained AFTER INSERT ON organization_resources
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member();
CREATE TRIGGER organization_resources_tell_sight_lost AFTER DELETE ON organization_resources
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member();
CREATE TRIGGER dod_checks_keep_awaited AFTER INSERT ON dod_checks
  FOR EACH ROW EXECUTE FUNCTION keep_awaited_verdicts();
