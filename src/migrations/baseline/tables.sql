-- The tables of the baseline with their constraints and indexes, in an order in which each can refer to those before it.
-- Columns are in the order in which they were added. This file is not changed any more; later migrations change the tables,
-- and the entities of the features are as the tables are today.

-- One row for every entity of every kind: its container, title and deletion. Comments, relations, approvals and events
-- reference it, and visibility is decided from it. Written only by platform/events.
CREATE TABLE entities (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
  endeavour_id text,
  organization_id text,
  owner_user_id text,
  is_global boolean NOT NULL DEFAULT false,
  title text NOT NULL,
  deleted_at timestamptz(3),
  parent_id text REFERENCES entities
);
CREATE INDEX entities_organization_id_kind_idx ON entities (organization_id, kind);
CREATE INDEX entities_endeavour_id_kind_idx ON entities (endeavour_id, kind);
CREATE INDEX entities_parent_id_idx ON entities (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX entities_owner_user_id_kind_idx ON entities (owner_user_id, kind) WHERE owner_user_id IS NOT NULL;
CREATE INDEX entities_global_kind_idx ON entities (kind) WHERE is_global;

-- One effective change of one entity, written in the transaction of the change and never changed.
CREATE TABLE events (
  sequence bigserial PRIMARY KEY,
  transaction bigint NOT NULL DEFAULT this_transaction(),
  id text NOT NULL,
  type text NOT NULL,
  entity_type text NOT NULL,
  entity_id text NOT NULL REFERENCES entities,
  endeavour_id text,
  organization_id text,
  actor_id text,
  request_id text,
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  changed text[] NOT NULL DEFAULT '{}',
  previous json NOT NULL DEFAULT '{}',
  data json NOT NULL,
  audience text[] NOT NULL DEFAULT '{}',
  token_id text
);
CREATE INDEX events_entity_id_sequence_idx ON events (entity_id, sequence);
CREATE UNIQUE INDEX events_id_idx ON events (id);
CREATE INDEX events_transaction_idx ON events (transaction);

-- The first successful response under a key, stored for 24 hours with the permissions that the request needed.
CREATE TABLE idempotency_keys (
  user_id text,
  key text,
  fingerprint text NOT NULL,
  status integer NOT NULL CHECK (status BETWEEN 200 AND 299),
  headers jsonb NOT NULL,
  body text NOT NULL,
  required jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- An account, of a person or an agent.
CREATE TABLE users (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  email text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  password_hash text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'suspended')),
  user_type text NOT NULL DEFAULT 'human' CHECK (user_type IN ('human', 'agent')),
  lang text NOT NULL DEFAULT 'en',
  timezone text NOT NULL DEFAULT 'UTC',
  email_copy boolean NOT NULL DEFAULT false,
  is_admin boolean NOT NULL DEFAULT false,
  tier smallint NOT NULL CHECK (tier BETWEEN 1 AND 3),
  resource_id text NOT NULL,
  external_id text,
  login_count integer NOT NULL DEFAULT 0,
  last_active_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  erasure_at timestamptz(3),
  closed_by text REFERENCES users,
  erased_at timestamptz(3),
  is_managed boolean NOT NULL DEFAULT false,
  manager_id text REFERENCES users,
  agent_of text,
  notify jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(notify) = 'object'),
  CONSTRAINT users_erasure_at_check CHECK (erasure_at IS NULL OR status <> 'active'),
  CONSTRAINT users_managed_check CHECK (CASE WHEN is_managed THEN user_type = 'agent' AND NOT is_admin
    AND password_hash IS NULL AND NOT email_copy ELSE manager_id IS NULL AND agent_of IS NULL END)
);
CREATE UNIQUE INDEX users_resource_id_idx ON users (resource_id);
CREATE UNIQUE INDEX users_email_idx ON users (email);
CREATE INDEX users_erasure_at_idx ON users (erasure_at) WHERE erasure_at IS NOT NULL;
CREATE INDEX users_manager_id_idx ON users (manager_id);
CREATE INDEX users_agent_of_idx ON users (agent_of);

-- A unit of capacity that can own, create and be assigned to work: a person, an agent, a service, a team or a budget.
CREATE TABLE resources (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  type text NOT NULL CHECK (type IN ('human', 'agent', 'service', 'budget', 'team')),
  capacity_model text,
  capacity_value double precision CHECK (capacity_value BETWEEN 0 AND 1000000000),
  skills text[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  user_id text REFERENCES users DEFERRABLE INITIALLY DEFERRED,
  quorum jsonb,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text REFERENCES resources,
  deleted_at timestamptz(3),
  holds integer NOT NULL DEFAULT 0,
  organization_id text,
  external_ref jsonb,
  words tsvector,
  CONSTRAINT resources_quorum_check CHECK (quorum IS NULL OR type = 'team'),
  CONSTRAINT resources_organization_id_check CHECK (user_id IS NULL OR organization_id IS NULL),
  CONSTRAINT resources_external_ref_check CHECK (external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
    AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
    AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200))
);
CREATE INDEX resources_created_by_idx ON resources (created_by);
CREATE UNIQUE INDEX resources_user_id_idx ON resources (user_id);
CREATE INDEX resources_created_at_id_idx ON resources (created_at, id);
CREATE INDEX resources_skills_idx ON resources USING gin (skills);
CREATE INDEX resources_name_trigram_idx ON resources USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX resources_id_holds_idx ON resources (id, holds);
CREATE INDEX resources_organization_id_idx ON resources (organization_id);
CREATE UNIQUE INDEX resources_external_ref_taken_idx ON resources (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), coalesce(organization_id, created_by)) WHERE external_ref IS NOT NULL;
CREATE INDEX resources_words_idx ON resources USING gin (words);
CREATE INDEX resources_folded_name_idx ON resources (fold_name(name)) WHERE deleted_at IS NULL;

-- A member of a team; members count as owners and assignees of the team's work. Memberships and links can be read as
-- relations, so they have an id for every type of relation.
CREATE TABLE team_members (
  team_id text REFERENCES resources,
  resource_id text REFERENCES resources,
  role text,
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  has_member_id text NOT NULL DEFAULT new_id('rel'),
  member_of_id text NOT NULL DEFAULT new_id('rel'),
  PRIMARY KEY (team_id, resource_id)
);
CREATE INDEX team_members_resource_id_idx ON team_members (resource_id);
CREATE UNIQUE INDEX team_members_has_member_id_idx ON team_members (has_member_id);
CREATE UNIQUE INDEX team_members_member_of_id_idx ON team_members (member_of_id);

-- A session; its id is the `jti` of the token. It is valid until `expires_at`, unless `ended_at` is set.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  client_address text,
  user_agent text
);
CREATE INDEX sessions_user_id_created_at_idx ON sessions (user_id, created_at);

-- A tenant: people and resources that run endeavours together.
CREATE TABLE organizations (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  description text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  archived_at timestamptz(3),
  archived_reason text,
  created_by text REFERENCES resources,
  holds integer NOT NULL DEFAULT 0,
  closed_by text,
  words tsvector,
  erasure_at timestamptz(3),
  CONSTRAINT organizations_erasure_at_check CHECK (erasure_at IS NULL OR status = 'archived')
);
CREATE INDEX organizations_name_trigram_idx ON organizations USING gin (name gin_trgm_ops);
CREATE INDEX organizations_description_trigram_idx ON organizations USING gin (description gin_trgm_ops);
CREATE INDEX organizations_created_by_status_idx ON organizations (created_by, status);
CREATE UNIQUE INDEX organizations_id_holds_idx ON organizations (id, holds);
CREATE INDEX organizations_closed_by_idx ON organizations (closed_by) WHERE closed_by IS NOT NULL;
CREATE INDEX organizations_words_idx ON organizations USING gin (words);

-- A resource that belongs to an organization; the user of the resource, if any, is a member with this role.
CREATE TABLE organization_resources (
  organization_id text REFERENCES organizations,
  resource_id text REFERENCES resources,
  user_id text REFERENCES users,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('guest', 'member', 'admin', 'owner')),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  added_by text REFERENCES users,
  has_member_id text NOT NULL DEFAULT new_id('rel'),
  member_of_id text NOT NULL DEFAULT new_id('rel'),
  PRIMARY KEY (organization_id, resource_id)
);
CREATE INDEX organization_resources_resource_id_idx ON organization_resources (resource_id);
CREATE UNIQUE INDEX organization_resources_user_id_organization_id_idx ON organization_resources (user_id,
  organization_id);
CREATE UNIQUE INDEX organization_resources_has_member_id_idx ON organization_resources (has_member_id);
CREATE UNIQUE INDEX organization_resources_member_of_id_idx ON organization_resources (member_of_id);

-- A container of work with goals.
CREATE TABLE endeavours (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  description text,
  goals jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(goals) = 'array'),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('pending', 'active', 'on_hold', 'completed', 'archived')),
  timezone text NOT NULL DEFAULT 'UTC',
  lang text NOT NULL DEFAULT 'en',
  start_date timestamptz(3),
  end_date timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  completed_at timestamptz(3),
  archived_at timestamptz(3),
  archived_reason text,
  dod_policy_id text,
  created_by text REFERENCES resources,
  holds integer NOT NULL DEFAULT 0,
  organization_id text,
  is_private boolean NOT NULL DEFAULT false,
  closed_by text,
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  external_ref jsonb,
  words tsvector,
  start_day date,
  end_day date,
  derived_timezone text,
  erasure_at timestamptz(3),
  transfer_to text REFERENCES organizations ON DELETE SET NULL,
  transfer_by text,
  CONSTRAINT endeavours_end_date_check CHECK (end_date >= start_date),
  CONSTRAINT endeavours_external_ref_check CHECK (external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
    AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
    AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200)),
  CONSTRAINT endeavours_start_day_check CHECK (start_day IS NULL OR (start_date IS NOT NULL
    AND start_day BETWEEN '1970-01-01' AND '9999-12-31')),
  CONSTRAINT endeavours_end_day_check CHECK (end_day IS NULL OR (end_date IS NOT NULL
    AND end_day BETWEEN '1970-01-01' AND '9999-12-31')),
  CONSTRAINT endeavours_erasure_at_check CHECK (erasure_at IS NULL OR status = 'archived')
);
CREATE INDEX endeavours_name_trigram_idx ON endeavours USING gin (name gin_trgm_ops);
CREATE INDEX endeavours_description_trigram_idx ON endeavours USING gin (description gin_trgm_ops);
CREATE INDEX endeavours_dod_policy_id_idx ON endeavours (dod_policy_id);
CREATE INDEX endeavours_created_by_status_idx ON endeavours (created_by, status);
CREATE UNIQUE INDEX endeavours_id_holds_idx ON endeavours (id, holds);
CREATE INDEX endeavours_organization_id_idx ON endeavours (organization_id);
CREATE INDEX endeavours_closed_by_idx ON endeavours (closed_by) WHERE closed_by IS NOT NULL;
CREATE INDEX endeavours_words_idx ON endeavours USING gin (words);
CREATE INDEX endeavours_external_ref_idx ON endeavours (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), organization_id) WHERE external_ref IS NOT NULL;
CREATE UNIQUE INDEX endeavours_external_ref_taken_idx ON endeavours (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), organization_id) WHERE external_ref IS NOT NULL AND NOT is_private;
CREATE INDEX endeavours_stale_dates_idx ON endeavours (id) WHERE derived_timezone IS DISTINCT FROM timezone;
CREATE INDEX endeavours_transfer_to_idx ON endeavours (transfer_to) WHERE transfer_to IS NOT NULL;

-- The link of an endeavour to an organization, which gives the organization's members a role in the endeavour. It has a
-- copy of the columns of the endeavour that decide which roles it grants, so that roles are read without the endeavour.
CREATE TABLE organization_endeavours (
  organization_id text REFERENCES organizations,
  endeavour_id text REFERENCES endeavours,
  linked_at timestamptz(3) NOT NULL DEFAULT now(),
  is_home boolean NOT NULL DEFAULT false,
  is_private boolean NOT NULL DEFAULT false,
  linked_by text REFERENCES users,
  belongs_to_id text NOT NULL DEFAULT new_id('rel'),
  PRIMARY KEY (organization_id, endeavour_id)
);
CREATE INDEX organization_endeavours_endeavour_id_idx ON organization_endeavours (endeavour_id);
CREATE UNIQUE INDEX organization_endeavours_home_idx ON organization_endeavours (endeavour_id) WHERE is_home;
CREATE UNIQUE INDEX organization_endeavours_belongs_to_id_idx ON organization_endeavours (belongs_to_id);
CREATE UNIQUE INDEX organization_endeavours_participates_in_idx ON organization_endeavours ((('rel_' ||
  md5(('participates_in' || belongs_to_id)))));

-- A direct role in an endeavour, in addition to roles derived from organizations.
CREATE TABLE endeavour_members (
  endeavour_id text REFERENCES endeavours,
  user_id text REFERENCES users,
  resource_id text NOT NULL REFERENCES resources,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  stakeholder_roles text[] NOT NULL DEFAULT '{}' CHECK (NOT stakeholder_roles && '{guest,viewer,member,admin,owner}'),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  added_by text REFERENCES users,
  belongs_to_id text NOT NULL DEFAULT new_id('rel'),
  participates_in_id text NOT NULL DEFAULT new_id('rel'),
  PRIMARY KEY (endeavour_id, user_id)
);
CREATE INDEX endeavour_members_user_id_endeavour_id_idx ON endeavour_members (user_id, endeavour_id);
CREATE UNIQUE INDEX endeavour_members_belongs_to_id_idx ON endeavour_members (belongs_to_id);
CREATE UNIQUE INDEX endeavour_members_participates_in_id_idx ON endeavour_members (participates_in_id);
CREATE UNIQUE INDEX endeavour_members_member_of_idx ON endeavour_members ((('rel_' || md5(('member_of'
  || belongs_to_id)))));

-- A request for work, such as a story, a bug or a spike. Tasks fulfil it.
CREATE TABLE demands (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  type text NOT NULL CHECK (type ~ '^[a-z][a-z0-9_-]{0,99}$'),
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 500),
  description text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'fulfilled', 'canceled')),
  priority text NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
  endeavour_id text NOT NULL REFERENCES endeavours,
  creator_id text NOT NULL REFERENCES resources,
  owner_id text NOT NULL REFERENCES resources,
  due_date timestamptz(3),
  fulfilled_at timestamptz(3),
  canceled_at timestamptz(3),
  canceled_reason text,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  words tsvector,
  holds integer NOT NULL DEFAULT 0,
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  external_ref jsonb,
  due_day date,
  CONSTRAINT demands_canceled_reason_check CHECK ((status = 'canceled') = (canceled_reason IS NOT NULL)),
  UNIQUE (id, endeavour_id),
  CONSTRAINT demands_fulfilled_at_check CHECK ((status = 'fulfilled') = (fulfilled_at IS NOT NULL)),
  CONSTRAINT demands_external_ref_check CHECK (external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
    AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
    AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200)),
  CONSTRAINT demands_due_day_check CHECK (due_day IS NULL OR (due_date IS NOT NULL AND due_day BETWEEN '1970-01-01'
    AND '9999-12-31'))
);
CREATE INDEX demands_owner_id_idx ON demands (owner_id);
CREATE INDEX demands_endeavour_id_created_at_id_idx ON demands (endeavour_id, created_at, id);
CREATE INDEX demands_endeavour_id_status_created_at_id_idx ON demands (endeavour_id, status, created_at, id);
CREATE INDEX demands_words_idx ON demands USING gin (words);
CREATE INDEX demands_title_trigram_idx ON demands USING gin (title gin_trgm_ops);
CREATE INDEX demands_creator_id_idx ON demands (creator_id);
CREATE INDEX demands_created_at_id_idx ON demands (created_at, id);
CREATE UNIQUE INDEX demands_id_holds_idx ON demands (id, holds);
CREATE UNIQUE INDEX demands_external_ref_taken_idx ON demands (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), endeavour_id) WHERE external_ref IS NOT NULL;

-- An atomic unit of work in an endeavour.
CREATE TABLE tasks (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 500),
  description text,
  status text NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'active', 'done', 'canceled')),
  endeavour_id text NOT NULL REFERENCES endeavours,
  demand_id text,
  assignee_id text REFERENCES resources,
  owner_id text NOT NULL REFERENCES resources,
  creator_id text NOT NULL REFERENCES resources,
  estimate double precision CHECK (estimate BETWEEN 0 AND 1000000000),
  actual double precision CHECK (actual BETWEEN 0 AND 1000000000),
  due_date timestamptz(3),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  canceled_reason text,
  dod_overridden_at timestamptz(3),
  dod_overridden_by text REFERENCES resources,
  dod_override_reason text,
  attested_at timestamptz(3),
  attested_by text REFERENCES resources,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  words tsvector,
  dod_check_id text,
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  dod_result text,
  -- Of open tasks in its endeavour. Triggers count, because many operations close tasks; a new count is no new revision.
  blocked_by_count integer NOT NULL DEFAULT 0 CHECK (blocked_by_count >= 0),
  external_ref jsonb,
  round_started_at timestamptz(3),
  dod_changed_at timestamptz(3),
  dod_changed_by text,
  dod_override_policy_id text,
  attestations jsonb,
  imported_by text,
  due_day date,
  CONSTRAINT tasks_canceled_reason_check CHECK ((status = 'canceled') = (canceled_reason IS NOT NULL)),
  CONSTRAINT tasks_completed_at_check CHECK ((status = 'done') = (completed_at IS NOT NULL)),
  FOREIGN KEY (demand_id, endeavour_id) REFERENCES demands(id, endeavour_id),
  UNIQUE (id, endeavour_id),
  CONSTRAINT tasks_dod_check_id_check CHECK (dod_check_id IS NULL OR status = 'done'),
  CONSTRAINT tasks_external_ref_check CHECK (external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
    AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
    AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200)),
  CONSTRAINT tasks_dod_result_check CHECK (dod_result IS NULL OR (status = 'done'
    AND dod_result IN ('met', 'overridden', 'no_policy', 'imported', 'changed'))),
  CONSTRAINT tasks_dod_changed_at_check CHECK ((dod_result IS NOT DISTINCT FROM 'changed') = (dod_changed_at IS NOT
    NULL)),
  CONSTRAINT tasks_due_day_check CHECK (due_day IS NULL OR (due_date IS NOT NULL AND due_day BETWEEN '1970-01-01'
    AND '9999-12-31'))
);
CREATE INDEX tasks_created_at_id_idx ON tasks (created_at, id);
CREATE INDEX tasks_creator_id_idx ON tasks (creator_id);
CREATE INDEX tasks_owner_id_idx ON tasks (owner_id);
CREATE INDEX tasks_demand_id_status_idx ON tasks (demand_id, status);
CREATE INDEX tasks_assignee_id_status_created_at_id_idx ON tasks (assignee_id, status, created_at, id);
CREATE INDEX tasks_endeavour_id_created_at_id_idx ON tasks (endeavour_id, created_at, id);
CREATE INDEX tasks_endeavour_id_status_created_at_id_idx ON tasks (endeavour_id, status, created_at, id);
CREATE INDEX tasks_words_idx ON tasks USING gin (words);
CREATE INDEX tasks_title_trigram_idx ON tasks USING gin (title gin_trgm_ops);
CREATE INDEX tasks_dod_check_id_idx ON tasks (dod_check_id) WHERE dod_check_id IS NOT NULL;
CREATE INDEX tasks_blocked_idx ON tasks (endeavour_id, created_at, id) WHERE blocked_by_count > 0;
CREATE INDEX tasks_ready_idx ON tasks (endeavour_id, created_at, id) WHERE status = 'planned'
  AND blocked_by_count = 0;
CREATE UNIQUE INDEX tasks_external_ref_taken_idx ON tasks (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), endeavour_id) WHERE external_ref IS NOT NULL;
CREATE INDEX tasks_due_idx ON tasks (due_date, id) WHERE due_date IS NOT NULL AND status IN ('planned', 'active');
CREATE INDEX tasks_changed_idx ON tasks (endeavour_id, created_at, id) WHERE dod_result = 'changed';

-- A period during which a task had a status; written by a trigger and never deleted.
CREATE TABLE task_statuses (
  id bigserial PRIMARY KEY,
  task_id text NOT NULL REFERENCES tasks,
  status text NOT NULL,
  entered_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  left_at timestamptz(3),
  imported boolean NOT NULL DEFAULT false,
  endeavour_id text NOT NULL,
  previous_status text,
  started_at timestamptz(3),
  hours double precision,
  closed_again_at timestamptz(3)
);
CREATE INDEX task_statuses_task_id_entered_at_idx ON task_statuses (task_id, entered_at);
CREATE INDEX task_statuses_flow_idx ON task_statuses (endeavour_id, entered_at) INCLUDE (previous_status, status,
  started_at, hours);
CREATE INDEX task_statuses_closed_again_idx ON task_statuses (endeavour_id,
  entered_at) WHERE closed_again_at IS NOT NULL;

-- The number of attempts of a client, for all replicas together. The table is unlogged: a crash empties it.
CREATE UNLOGGED TABLE rate_counters (
  key text PRIMARY KEY,
  count integer NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  held_until timestamptz(3) NOT NULL DEFAULT '-infinity'
);
CREATE INDEX rate_counters_ends_at_idx ON rate_counters (ends_at);

-- A mailed code, stored as a keyed hash. It ends when it is used, replaced or tried too often.
CREATE TABLE codes (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verification', 'reset', 'email_change')),
  scope text NOT NULL,
  subject text NOT NULL,
  hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  attempts_from jsonb NOT NULL DEFAULT '{}',
  asked_from text NOT NULL DEFAULT '',
  is_from_known boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX codes_purpose_scope_idx ON codes (purpose, scope);
CREATE INDEX codes_expires_at_idx ON codes (expires_at);

-- A pending registration whose e-mail address is not verified. Several can exist for one address.
CREATE TABLE sign_ups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  password_hash text NOT NULL,
  invitation_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  lang text NOT NULL DEFAULT 'en',
  asked_from text NOT NULL DEFAULT ''
);
CREATE INDEX sign_ups_email_created_at_idx ON sign_ups (email, created_at);
CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at);

-- An offer of an account and of roles to a user, to an e-mail address, or to anyone with its token.
CREATE TABLE invitations (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  email text,
  organization_id text REFERENCES organizations,
  role text CHECK (role IN ('guest', 'member', 'admin', 'owner')),
  endeavour_id text REFERENCES endeavours,
  endeavour_role text CHECK (endeavour_role IN ('viewer', 'member', 'admin', 'owner')),
  max_uses integer NOT NULL DEFAULT 1,
  uses integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  token_hash text,
  invited_by text NOT NULL REFERENCES users,
  deleted_at timestamptz(3),
  user_id text REFERENCES users,
  invitee text,
  is_open boolean NOT NULL DEFAULT true,
  is_muted boolean NOT NULL DEFAULT false,
  refused_at timestamptz(3),
  refused_by text REFERENCES users,
  mail_status text CHECK (mail_status IN ('queued', 'sent', 'failed', 'not_sent')),
  CONSTRAINT invitations_place_check CHECK ((organization_id IS NULL) = (role IS NULL)
    AND (endeavour_id IS NULL) = (endeavour_role IS NULL)),
  CONSTRAINT invitations_uses_check CHECK (uses BETWEEN 0 AND max_uses),
  CONSTRAINT invitations_max_uses_check CHECK (max_uses = 1 OR invitee IS NULL),
  CONSTRAINT invitations_invitee_check CHECK (invitee IS NOT DISTINCT FROM coalesce(email, user_id)
    AND (email IS NULL OR user_id IS NULL))
);
CREATE UNIQUE INDEX invitations_token_hash_idx ON invitations (token_hash);
CREATE INDEX invitations_organization_id_idx ON invitations (organization_id);
CREATE INDEX invitations_endeavour_id_idx ON invitations (endeavour_id);
CREATE INDEX invitations_invitee_idx ON invitations (invitee);
CREATE INDEX invitations_refused_by_idx ON invitations (refused_by);
CREATE UNIQUE INDEX invitations_open_organization_idx ON invitations (invitee, organization_id) WHERE is_open;
CREATE UNIQUE INDEX invitations_open_endeavour_idx ON invitations (invitee, endeavour_id) WHERE is_open;
CREATE UNIQUE INDEX invitations_open_account_idx ON invitations (invitee) WHERE is_open
  AND organization_id IS NULL AND endeavour_id IS NULL;

-- A mail to be sent, written in the transaction of its cause. Housekeeping removes it when it is finished and old.
CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  recipient text NOT NULL,
  lang text NOT NULL,
  data jsonb NOT NULL,
  reference text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed', 'lapsed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  locked_until timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  sender text,
  turn integer NOT NULL DEFAULT 0,
  CONSTRAINT outbox_kind_check CHECK (kind IN ('verification', 'password_reset', 'password_changed', 'invitation',
    'email_change', 'email_changed', 'message_copy', 'notifications', 'container_archived', 'container_erasure',
    'container_erasure_stopped', 'endeavour_transfer_requested', 'endeavour_transferred', 'endeavour_unlinked',
    'message_copies'))
);
CREATE INDEX outbox_due_at_idx ON outbox (due_at) WHERE status = 'pending';
CREATE INDEX outbox_created_at_idx ON outbox (created_at);
CREATE INDEX outbox_reference_idx ON outbox (reference);
CREATE INDEX outbox_turn_idx ON outbox (turn, due_at) WHERE status = 'pending';
CREATE INDEX outbox_sender_idx ON outbox (sender, created_at) WHERE sender IS NOT NULL;

-- When recurring work is due, and which process runs it.
CREATE TABLE jobs (
  name text PRIMARY KEY,
  due_at timestamptz(3) NOT NULL,
  claim integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3),
  finished_at timestamptz(3),
  last_error text
);

-- A word or phrase that an organization wants to be alerted about.
CREATE TABLE alert_terms (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations,
  term text NOT NULL CHECK (char_length(term) BETWEEN 1 AND 200),
  folded text NOT NULL,
  weight smallint NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 10),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (organization_id, folded)
);

-- An occurrence of an alert term in a text, stored as it was at that time.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations,
  entity_type text NOT NULL,
  entity_id text NOT NULL REFERENCES entities,
  term text NOT NULL,
  weight smallint NOT NULL,
  excerpt text NOT NULL,
  author_id text REFERENCES resources,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX alerts_organization_id_created_at_id_idx ON alerts (organization_id, created_at, id);
CREATE INDEX alerts_entity_id_idx ON alerts (entity_id);

-- A team member's vote for a change of the team's work; a trigger lets it lapse when the status changes.
CREATE TABLE quorum_votes (
  id bigserial PRIMARY KEY,
  entity_id text NOT NULL REFERENCES entities,
  team_id text NOT NULL REFERENCES resources,
  resource_id text NOT NULL REFERENCES resources,
  target text NOT NULL,
  cast_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  lapsed_at timestamptz(3)
);
CREATE UNIQUE INDEX quorum_votes_entity_id_resource_id_idx ON quorum_votes (entity_id,
  resource_id) WHERE lapsed_at IS NULL;
CREATE INDEX quorum_votes_standing_idx ON quorum_votes (team_id) WHERE lapsed_at IS NULL;

-- A typed relation between two entities. It can be deleted, but not changed.
CREATE TABLE relations (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  relationship_type text NOT NULL CHECK (relationship_type ~ '^[a-z][a-z0-9_]{1,99}$'),
  source_entity_type text NOT NULL,
  source_entity_id text NOT NULL REFERENCES entities,
  target_entity_type text NOT NULL,
  target_entity_id text NOT NULL REFERENCES entities,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text NOT NULL REFERENCES resources,
  deleted_at timestamptz(3),
  made_in text,
  tied_in text,
  deleted_by text,
  deleted_by_admin boolean NOT NULL DEFAULT false,
  CONSTRAINT relations_target_entity_id_check CHECK (source_entity_id <> target_entity_id),
  CONSTRAINT relations_target_entity_type_check CHECK (target_entity_type IN ('task', 'demand', 'endeavour',
    'organization', 'resource', 'user', 'artifact', 'ritual', 'template', 'dod_policy', 'comment', 'approval')),
  CONSTRAINT relations_source_entity_type_check CHECK (source_entity_type IN ('task', 'demand', 'endeavour',
    'organization', 'resource', 'user', 'artifact', 'ritual', 'template', 'dod_policy', 'comment', 'approval'))
);
CREATE UNIQUE INDEX duplicate_relation_idx ON relations (source_entity_id, target_entity_id,
  relationship_type) WHERE deleted_at IS NULL;
CREATE INDEX relations_target_entity_id_idx ON relations (target_entity_id);
CREATE INDEX relations_created_at_id_idx ON relations (created_at, id);
CREATE INDEX relations_source_entity_id_idx ON relations (source_entity_id);

-- A message of a user or of the service. A trigger prevents changes.
CREATE TABLE messages (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  sender_id text REFERENCES resources,
  subject text CHECK (char_length(subject) <= 500),
  content text NOT NULL,
  intent text NOT NULL DEFAULT 'info' CHECK (intent IN ('info', 'question', 'action', 'alert')),
  reply_to_id text REFERENCES messages,
  thread_id text NOT NULL REFERENCES messages,
  entity_type text,
  entity_id text REFERENCES entities,
  scope_type text CHECK (scope_type IN ('endeavour', 'organization')),
  scope_id text REFERENCES entities,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  recipient_count integer NOT NULL DEFAULT 0,
  first_recipients text[] NOT NULL DEFAULT '{}',
  words tsvector,
  closed_to_sender boolean NOT NULL DEFAULT false,
  CONSTRAINT messages_scope_id_check CHECK ((scope_type IS NULL) = (scope_id IS NULL)),
  CONSTRAINT messages_entity_id_check CHECK ((entity_type IS NULL) = (entity_id IS NULL)),
  CONSTRAINT messages_content_check CHECK (char_length(content) BETWEEN 1
    AND CASE WHEN sender_id IS NULL THEN 1048576 ELSE 50000 END)
);
CREATE INDEX messages_sender_id_created_at_id_idx ON messages (sender_id, created_at, id);
CREATE INDEX messages_thread_id_created_at_id_idx ON messages (thread_id, created_at, id);
CREATE INDEX messages_entity_id_idx ON messages (entity_id);
CREATE INDEX messages_created_at_id_idx ON messages (created_at, id);
CREATE INDEX messages_subject_trigram_idx ON messages USING gin (subject gin_trgm_ops);
CREATE INDEX messages_content_trigram_idx ON messages USING gin (content gin_trgm_ops);
CREATE INDEX messages_scope_id_idx ON messages (scope_id) WHERE scope_id IS NOT NULL;
CREATE INDEX messages_words_idx ON messages USING gin (words);

-- One recipient's copy of a message.
CREATE TABLE message_deliveries (
  id text PRIMARY KEY,
  message_id text NOT NULL REFERENCES messages,
  resource_id text NOT NULL REFERENCES resources,
  user_id text REFERENCES users,
  read_at timestamptz(3),
  mail_copy text CHECK (mail_copy IN ('copied', 'failed')),
  removed_at timestamptz(3)
);
CREATE UNIQUE INDEX message_deliveries_message_id_resource_id_idx ON message_deliveries (message_id, resource_id);
CREATE INDEX message_deliveries_user_id_message_id_idx ON message_deliveries (user_id, message_id);
CREATE INDEX message_deliveries_unread_idx ON message_deliveries (user_id, message_id) WHERE read_at IS NULL
  AND removed_at IS NULL;

-- A reference to a document, link or deliverable outside of the service, which never fetches it.
CREATE TABLE artifacts (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  kind text NOT NULL,
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 500),
  url text CHECK (url ~* '^https?://' AND char_length(url) <= 2048),
  summary text CHECK (char_length(summary) <= 50000),
  tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 50),
  endeavour_id text NOT NULL REFERENCES endeavours,
  task_id text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text NOT NULL REFERENCES resources,
  deleted_at timestamptz(3),
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  evidence jsonb,
  external_ref jsonb,
  words tsvector,
  CONSTRAINT artifacts_kind_check CHECK (kind IN ('link', 'doc', 'repo', 'file', 'dataset', 'dashboard', 'runbook',
    'report', 'test-report', 'other')),
  FOREIGN KEY (task_id, endeavour_id) REFERENCES tasks(id, endeavour_id) ON UPDATE CASCADE,
  CONSTRAINT artifacts_external_ref_check CHECK (external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
    AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
    AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200))
);
CREATE INDEX artifacts_endeavour_id_created_at_id_idx ON artifacts (endeavour_id, created_at, id);
CREATE INDEX artifacts_task_id_created_at_id_idx ON artifacts (task_id, created_at, id);
CREATE INDEX artifacts_created_at_id_idx ON artifacts (created_at, id);
CREATE INDEX artifacts_tags_idx ON artifacts USING gin (tags);
CREATE INDEX artifacts_title_trigram_idx ON artifacts USING gin (title gin_trgm_ops);
CREATE INDEX artifacts_summary_trigram_idx ON artifacts USING gin (summary gin_trgm_ops);
CREATE UNIQUE INDEX artifacts_external_ref_taken_idx ON artifacts (((external_ref ->> 'source')),
  ((external_ref ->> 'id')), endeavour_id) WHERE external_ref IS NOT NULL;
CREATE INDEX artifacts_words_idx ON artifacts USING gin (words);

-- A comment on an entity. A trigger stores its earlier texts.
CREATE TABLE comments (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  entity_type text NOT NULL,
  entity_id text NOT NULL REFERENCES entities,
  reply_to_id text,
  content text CHECK (char_length(content) BETWEEN 1 AND 50000),
  author_id text NOT NULL REFERENCES resources,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  words tsvector,
  shows_text boolean NOT NULL DEFAULT true,
  CONSTRAINT comments_entity_type_check CHECK (entity_type IN ('task', 'demand', 'endeavour', 'artifact', 'ritual',
    'organization', 'dod_policy', 'template')),
  CONSTRAINT comments_reply_to_id_check CHECK (reply_to_id <> id),
  UNIQUE (id, entity_id),
  FOREIGN KEY (reply_to_id, entity_id) REFERENCES comments(id, entity_id),
  CONSTRAINT comments_deleted_at_check CHECK (content IS NOT NULL OR deleted_at IS NOT NULL)
);
CREATE INDEX comments_entity_id_created_at_id_idx ON comments (entity_id, created_at, id);
CREATE INDEX comments_author_id_created_at_id_idx ON comments (author_id, created_at, id);
CREATE INDEX comments_created_at_id_idx ON comments (created_at, id);
CREATE INDEX comments_reply_to_id_idx ON comments (reply_to_id);
CREATE INDEX comments_content_trigram_idx ON comments USING gin (content gin_trgm_ops);
CREATE INDEX comments_words_idx ON comments USING gin (words);

-- The text of a comment before an edit; written by a trigger.
CREATE TABLE comment_texts (
  id bigserial PRIMARY KEY,
  comment_id text NOT NULL REFERENCES comments,
  content text NOT NULL,
  written_at timestamptz(3) NOT NULL,
  replaced_at timestamptz(3) NOT NULL
);
CREATE INDEX comment_texts_comment_id_replaced_at_idx ON comment_texts (comment_id, replaced_at);

-- Records that a resource was notified of its mention in a comment; each resource is notified once per comment.
CREATE TABLE comment_mentions (
  comment_id text REFERENCES comments,
  resource_id text REFERENCES resources,
  transaction bigint DEFAULT this_transaction(),
  PRIMARY KEY (comment_id, resource_id)
);

-- A verdict on a revision of an entity. A trigger makes everything immutable except `is_current` and the dismissal.
CREATE TABLE approvals (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  entity_type text NOT NULL CHECK (entity_type IN ('task', 'demand', 'endeavour', 'artifact', 'ritual', 'dod_policy')),
  entity_id text NOT NULL REFERENCES entities,
  verdict text NOT NULL CHECK (verdict IN ('approved', 'rejected', 'needs_work')),
  role text CHECK (char_length(role) BETWEEN 1 AND 100),
  comment text CHECK (char_length(comment) <= 50000),
  approver_id text NOT NULL REFERENCES resources,
  entity_revision integer NOT NULL,
  is_current boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  role_held boolean,
  was_member boolean NOT NULL DEFAULT true,
  was_author boolean NOT NULL DEFAULT false,
  dismissed_at timestamptz(3),
  dismissed_by text REFERENCES resources,
  dismissed_reason text,
  ended_by text,
  given_in text,
  held_roles text[],
  kept_roles text[],
  lifted_at timestamptz(3),
  ended_by_author boolean,
  giver_type text,
  CONSTRAINT approvals_role_held_check CHECK ((role IS NULL) = (role_held IS NULL)),
  CONSTRAINT approvals_dismissed_by_check CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL)),
  CONSTRAINT approvals_dismissed_at_check CHECK (dismissed_at IS NULL OR verdict = 'rejected')
);
CREATE UNIQUE INDEX approvals_current_idx ON approvals (entity_id, approver_id,
  role) NULLS NOT DISTINCT WHERE is_current;
CREATE INDEX approvals_entity_id_created_at_id_idx ON approvals (entity_id, created_at, id);
CREATE INDEX approvals_approver_id_created_at_id_idx ON approvals (approver_id, created_at, id);
CREATE INDEX approvals_created_at_id_idx ON approvals (created_at, id);

-- A Markdown text with Liquid variables for entities of one kind; built-in, global, personal, or of an organization.
CREATE TABLE templates (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  predecessor_id text REFERENCES templates,
  lineage_id text NOT NULL REFERENCES templates,
  origin text NOT NULL DEFAULT 'custom' CHECK (origin IN ('template', 'custom', 'fork')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  description text,
  scope text NOT NULL CHECK (scope IN ('task', 'demand', 'endeavour', 'organization', 'ritual')),
  type text NOT NULL DEFAULT 'report',
  lang text NOT NULL DEFAULT 'en',
  body text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 100000),
  organization_id text REFERENCES organizations,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text REFERENCES resources,
  container text NOT NULL DEFAULT 'global' CHECK (container IN ('global', 'organization', 'personal')),
  words tsvector,
  CONSTRAINT templates_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
  CONSTRAINT templates_organization_id_check CHECK ((container = 'organization') = (organization_id IS NOT NULL))
);
CREATE INDEX templates_organization_id_created_at_id_idx ON templates (organization_id, created_at, id);
CREATE INDEX templates_scope_lang_created_at_idx ON templates (scope, lang, created_at);
CREATE INDEX templates_predecessor_id_idx ON templates (predecessor_id);
CREATE INDEX templates_created_at_id_idx ON templates (created_at, id);
CREATE INDEX templates_name_trigram_idx ON templates USING gin (name gin_trgm_ops);
CREATE INDEX templates_body_trigram_idx ON templates USING gin (body gin_trgm_ops);
CREATE INDEX templates_lineage_id_idx ON templates (lineage_id);
CREATE INDEX templates_words_idx ON templates USING gin (words);

-- Recurring work: built in, of an endeavour or organization, or personal.
CREATE TABLE rituals (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  predecessor_id text REFERENCES rituals,
  lineage_id text NOT NULL REFERENCES rituals,
  origin text NOT NULL DEFAULT 'custom' CHECK (origin IN ('template', 'custom', 'fork')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  description text,
  prompt text CHECK (char_length(prompt) <= 100000),
  schedule jsonb NOT NULL DEFAULT '{"type": "manual"}',
  is_enabled boolean NOT NULL DEFAULT true,
  lang text NOT NULL DEFAULT 'en',
  endeavour_id text REFERENCES endeavours,
  organization_id text REFERENCES organizations,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  next_run_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text REFERENCES resources,
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  words tsvector,
  task jsonb CHECK (jsonb_typeof(task) = 'object'),
  task_created_by text,
  task_changed_by text,
  CONSTRAINT rituals_next_run_at_check CHECK (next_run_at IS NULL OR endeavour_id IS NOT NULL),
  CONSTRAINT rituals_organization_id_check CHECK (endeavour_id IS NULL OR organization_id IS NULL),
  CONSTRAINT rituals_is_enabled_check CHECK (NOT is_enabled OR status = 'active'),
  CONSTRAINT rituals_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
  CONSTRAINT rituals_schedule_check CHECK (schedule->>'type' IN ('manual', 'cron', 'interval', 'monthly')),
  CONSTRAINT rituals_task_created_by_check CHECK ((task IS NULL) = (task_created_by IS NULL)
    AND (task IS NULL) = (task_changed_by IS NULL))
);
CREATE INDEX rituals_endeavour_id_created_at_id_idx ON rituals (endeavour_id, created_at, id);
CREATE INDEX rituals_organization_id_created_at_id_idx ON rituals (organization_id, created_at, id);
CREATE INDEX rituals_created_at_id_idx ON rituals (created_at, id);
CREATE INDEX rituals_predecessor_id_idx ON rituals (predecessor_id);
CREATE INDEX rituals_name_trigram_idx ON rituals USING gin (name gin_trgm_ops);
CREATE INDEX rituals_description_trigram_idx ON rituals USING gin (description gin_trgm_ops);
CREATE INDEX rituals_lineage_id_idx ON rituals (lineage_id);
CREATE INDEX rituals_words_idx ON rituals USING gin (words);
CREATE INDEX rituals_next_run_at_idx ON rituals (next_run_at) WHERE is_enabled AND schedule->>'type' <> 'manual'
  AND endeavour_id IS NOT NULL;

-- One execution of a ritual; scheduled runs can be skipped.
CREATE TABLE ritual_runs (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  ritual_id text NOT NULL REFERENCES rituals,
  ritual_version integer NOT NULL,
  endeavour_id text REFERENCES endeavours,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'succeeded', 'failed', 'skipped')),
  trigger text NOT NULL CHECK (trigger IN ('schedule', 'manual', 'api')),
  run_by text REFERENCES resources,
  scheduled_for timestamptz(3),
  result_summary text,
  effects jsonb CHECK (jsonb_typeof(effects) = 'object'),
  error jsonb CHECK (jsonb_typeof(error) = 'object'),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  task_id text REFERENCES tasks,
  task_errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(task_errors) = 'array'),
  CONSTRAINT ritual_runs_scheduled_for_check CHECK ((trigger = 'schedule') = (scheduled_for IS NOT NULL)),
  CONSTRAINT ritual_runs_finished_at_check CHECK ((status = 'running') = (finished_at IS NULL))
);
CREATE UNIQUE INDEX ritual_runs_ritual_id_scheduled_for_idx ON ritual_runs (ritual_id, scheduled_for);
CREATE INDEX ritual_runs_ritual_id_created_at_id_idx ON ritual_runs (ritual_id, created_at, id);
CREATE INDEX ritual_runs_endeavour_id_created_at_id_idx ON ritual_runs (endeavour_id, created_at, id);
CREATE INDEX ritual_runs_created_at_id_idx ON ritual_runs (created_at, id);
CREATE INDEX ritual_runs_started_at_idx ON ritual_runs (started_at) WHERE status = 'running';
CREATE INDEX ritual_runs_unclaimed_idx ON ritual_runs (endeavour_id) WHERE status = 'running' AND run_by IS NULL;
CREATE UNIQUE INDEX ritual_runs_task_id_idx ON ritual_runs (task_id) WHERE task_id IS NOT NULL;

-- A version of a Definition of Done. A trigger makes its rules immutable; they change only with a new version.
CREATE TABLE dod_policies (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  predecessor_id text REFERENCES dod_policies,
  lineage_id text NOT NULL REFERENCES dod_policies,
  origin text NOT NULL DEFAULT 'custom' CHECK (origin IN ('template', 'custom', 'fork')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  description text,
  conditions jsonb NOT NULL,
  strictness text NOT NULL DEFAULT 'all' CHECK (strictness IN ('all', 'n_of')),
  quorum integer,
  scope text NOT NULL DEFAULT 'task' CHECK (scope IN ('task')),
  organization_id text REFERENCES organizations,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  created_by text REFERENCES resources,
  endeavour_id text REFERENCES endeavours,
  container text NOT NULL DEFAULT 'global' CHECK (container IN ('global', 'organization', 'endeavour', 'personal')),
  updated_by text,
  content_changes jsonb NOT NULL DEFAULT '{}',
  words tsvector,
  CONSTRAINT dod_policies_conditions_check CHECK (jsonb_typeof(conditions) = 'array'
    AND jsonb_array_length(conditions) BETWEEN 1 AND 50),
  CONSTRAINT dod_policies_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
  CONSTRAINT dod_policies_quorum_check CHECK ((strictness = 'n_of') = (quorum IS NOT NULL) AND quorum > 0),
  CONSTRAINT dod_policies_organization_id_check CHECK ((container = 'organization') = (organization_id IS NOT NULL)),
  CONSTRAINT dod_policies_endeavour_id_check CHECK ((container = 'endeavour') = (endeavour_id IS NOT NULL))
);
CREATE INDEX dod_policies_created_at_id_idx ON dod_policies (created_at, id);
CREATE INDEX dod_policies_lineage_id_version_idx ON dod_policies (lineage_id, version);
CREATE INDEX dod_policies_organization_id_created_at_id_idx ON dod_policies (organization_id, created_at, id);
CREATE UNIQUE INDEX dod_policies_predecessor_id_idx ON dod_policies (predecessor_id) WHERE origin = 'custom';
CREATE INDEX dod_policies_name_trigram_idx ON dod_policies USING gin (name gin_trgm_ops);
CREATE INDEX dod_policies_description_trigram_idx ON dod_policies USING gin (description gin_trgm_ops);
CREATE INDEX dod_policies_endeavour_id_created_at_id_idx ON dod_policies (endeavour_id, created_at, id);
CREATE INDEX dod_policies_words_idx ON dod_policies USING gin (words);

-- The acceptance of one policy version by a member of an endeavour.
CREATE TABLE dod_endorsements (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  policy_id text NOT NULL REFERENCES dod_policies,
  policy_version integer NOT NULL,
  resource_id text NOT NULL REFERENCES resources,
  endeavour_id text NOT NULL REFERENCES endeavours,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded', 'withdrawn')),
  superseded_at timestamptz(3),
  CONSTRAINT dod_endorsements_superseded_at_check CHECK ((status = 'superseded') = (superseded_at IS NOT NULL))
);
CREATE INDEX dod_endorsements_resource_id_created_at_id_idx ON dod_endorsements (resource_id, created_at, id);
CREATE INDEX dod_endorsements_policy_id_status_idx ON dod_endorsements (policy_id, status);
CREATE INDEX dod_endorsements_endeavour_id_created_at_id_idx ON dod_endorsements (endeavour_id, created_at, id);
CREATE UNIQUE INDEX dod_endorsements_endeavour_id_resource_id_idx ON dod_endorsements (endeavour_id,
  resource_id) WHERE status = 'active';

-- The result of checking a task against the policy of its endeavour at one time; a trigger makes it immutable.
CREATE TABLE dod_checks (
  id text PRIMARY KEY REFERENCES entities,
  task_id text NOT NULL REFERENCES tasks,
  result text NOT NULL CHECK (result IN ('met', 'not_met', 'no_policy')),
  overridden boolean NOT NULL,
  policy_id text REFERENCES dod_policies,
  policy_name text,
  policy_version integer,
  endorsed boolean NOT NULL,
  conditions jsonb NOT NULL,
  hint text,
  rested_on text[] NOT NULL,
  checked_by text NOT NULL REFERENCES resources,
  checked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT dod_checks_policy_id_check CHECK ((result = 'no_policy') = (policy_id IS NULL))
);
CREATE INDEX dod_checks_task_id_checked_at_id_idx ON dod_checks (task_id, checked_at, id);
CREATE INDEX dod_checks_policy_id_idx ON dod_checks (policy_id) WHERE policy_id IS NOT NULL;

-- A check result that another system has posted for a task; the newest result with a name counts.
CREATE TABLE dod_results (
  id text PRIMARY KEY REFERENCES entities,
  task_id text NOT NULL REFERENCES tasks,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  passed boolean NOT NULL,
  detail text,
  posted_by text NOT NULL REFERENCES resources,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  roles text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX dod_results_task_id_name_created_at_id_idx ON dod_results (task_id, name, created_at, id);

-- The voluntary departure of a person from an organization or endeavour, to which the person cannot be added again
-- without an invitation for 30 days.
CREATE TABLE departures (
  container_id text REFERENCES entities,
  user_id text REFERENCES users,
  left_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (container_id, user_id)
);
CREATE INDEX departures_user_id_idx ON departures (user_id);

-- A network from which a user has signed in. It has its own sign-in limits, which requests from other networks cannot
-- exhaust.
CREATE TABLE known_addresses (
  user_id text REFERENCES users,
  network text,
  last_sign_in_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, network)
);
CREATE INDEX known_addresses_last_sign_in_at_idx ON known_addresses (last_sign_in_at);

-- A requested change of a user's e-mail address that is not confirmed yet; a later request replaces it.
CREATE TABLE email_changes (
  user_id text PRIMARY KEY REFERENCES users,
  new_email text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at);

-- Records that an invitation granted something to a user; repeated acceptances by a user count as one use.
CREATE TABLE invitation_acceptances (
  invitation_id text REFERENCES invitations,
  user_id text REFERENCES users,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (invitation_id, user_id)
);

-- When a membership in an organization or endeavour ended for any reason or lost rights; written by triggers.
CREATE TABLE former_members (
  container_id text,
  user_id text REFERENCES users,
  left_at timestamptz(3),
  lowered_at timestamptz(3),
  PRIMARY KEY (container_id, user_id)
);
CREATE INDEX former_members_user_id_idx ON former_members (user_id);

-- The limits of the users of a tier; -1 is unlimited.
CREATE TABLE tiers (
  id smallint PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  max_orgs integer NOT NULL,
  max_active_endeavours integer NOT NULL,
  max_endeavours_per_org integer NOT NULL,
  max_agents_per_org integer NOT NULL,
  max_teams_per_org integer NOT NULL,
  max_creations_per_hour integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT tiers_limits_check CHECK (least(max_orgs, max_active_endeavours, max_endeavours_per_org,
    max_agents_per_org, max_teams_per_org, max_creations_per_hour) >= -1)
);

-- Work that takes longer than a request, processed in small transactions by any replica.
CREATE TABLE operations (
  id text PRIMARY KEY,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  user_id text NOT NULL REFERENCES users,
  created_by text NOT NULL REFERENCES resources,
  container_id text REFERENCES entities,
  organization_id text,
  is_cancelable boolean NOT NULL DEFAULT false,
  parameters jsonb NOT NULL DEFAULT '{}',
  tally jsonb NOT NULL DEFAULT '{}',
  done integer NOT NULL DEFAULT 0,
  total integer,
  result json,
  error jsonb,
  attempts integer NOT NULL DEFAULT 0,
  request_id text,
  cancel_requested_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  restricted_to text,
  lost integer NOT NULL DEFAULT 0,
  origin jsonb,
  CONSTRAINT operations_done_check CHECK (done >= 0 AND total >= 0),
  CONSTRAINT operations_finished_at_check CHECK ((status IN ('succeeded', 'failed',
    'canceled')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX operations_running_user_idx ON operations (user_id) WHERE status = 'running';
CREATE INDEX operations_unfinished_due_at_idx ON operations (due_at) WHERE finished_at IS NULL;
CREATE INDEX operations_user_id_created_at_idx ON operations (user_id, created_at);
CREATE INDEX operations_container_id_idx ON operations (container_id);

-- The state of one entity before archiving; kept until the archiving is undone or the entity is erased.
CREATE TABLE archived_states (
  entity_id text PRIMARY KEY REFERENCES entities,
  kind text NOT NULL,
  endeavour_id text,
  organization_id text,
  previous jsonb NOT NULL CHECK (jsonb_typeof(previous) = 'object')
);
CREATE INDEX archived_states_endeavour_id_kind_idx ON archived_states (endeavour_id, kind);
CREATE INDEX archived_states_organization_id_idx ON archived_states (organization_id) WHERE organization_id IS NOT
  NULL;

-- A period during which a task was assigned to a resource; written by a trigger and never deleted.
CREATE TABLE task_assignments (
  id bigserial PRIMARY KEY,
  task_id text NOT NULL REFERENCES tasks ON DELETE CASCADE,
  assignee_id text NOT NULL REFERENCES resources,
  assigned_by text,
  assigned_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_by text,
  ended_at timestamptz(3),
  writers text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX task_assignments_task_id_assigned_at_idx ON task_assignments (task_id, assigned_at);
CREATE UNIQUE INDEX task_assignments_task_id_idx ON task_assignments (task_id) WHERE ended_at IS NULL;

-- A period during which a resource was in a team; written by a trigger and never deleted.
CREATE TABLE team_memberships (
  id bigserial PRIMARY KEY,
  team_id text NOT NULL REFERENCES resources ON DELETE CASCADE,
  resource_id text NOT NULL REFERENCES resources ON DELETE CASCADE,
  joined_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  left_at timestamptz(3)
);
CREATE INDEX team_memberships_team_id_resource_id_idx ON team_memberships (team_id, resource_id);

-- A token with which a program acts as a user, within its scopes and its container.
CREATE TABLE access_tokens (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  user_id text NOT NULL REFERENCES users,
  made_by text NOT NULL REFERENCES users,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 500),
  scopes text[] NOT NULL CHECK (cardinality(scopes) BETWEEN 1 AND 50),
  organization_id text REFERENCES organizations,
  endeavour_id text REFERENCES endeavours,
  allowed_networks text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  kind text NOT NULL DEFAULT 'access',
  CONSTRAINT access_tokens_container_check CHECK (organization_id IS NULL OR endeavour_id IS NULL),
  CONSTRAINT access_tokens_kind_check CHECK (kind = 'access' OR (kind = 'calendar' AND organization_id IS NULL))
);
CREATE INDEX access_tokens_user_id_created_at_idx ON access_tokens (user_id, created_at);
CREATE INDEX access_tokens_made_by_idx ON access_tokens (made_by);
CREATE INDEX access_tokens_organization_id_idx ON access_tokens (organization_id);
CREATE INDEX access_tokens_endeavour_id_idx ON access_tokens (endeavour_id);

-- The keyed hash of a token's secret, used to look the token up. After a rotation, the previous secret stays valid
-- until `expires_at`.
CREATE TABLE access_token_secrets (
  hash text PRIMARY KEY,
  token_id text NOT NULL REFERENCES access_tokens,
  expires_at timestamptz(3)
);
CREATE INDEX access_token_secrets_token_id_idx ON access_token_secrets (token_id);

-- The time, to the minute, and the client address of the last use of a token. Uses are recorded outside of the requests,
-- and must not change the rows of the tokens.
CREATE TABLE access_token_uses (
  token_id text PRIMARY KEY REFERENCES access_tokens,
  used_at timestamptz(3) NOT NULL,
  address text NOT NULL
);

-- The entry of an event in the feed; written by number_events() after the event's transaction has committed.
CREATE TABLE feed (
  sequence bigint PRIMARY KEY,
  event_sequence bigint NOT NULL REFERENCES events ON DELETE CASCADE,
  place text NOT NULL,
  entity_id text NOT NULL,
  entity_type text NOT NULL,
  type text NOT NULL,
  actor_id text,
  occurred_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX feed_event_sequence_idx ON feed (event_sequence);
CREATE INDEX feed_place_sequence_idx ON feed (place, sequence);
CREATE INDEX feed_entity_id_sequence_idx ON feed (entity_id, sequence);
CREATE INDEX feed_actor_id_sequence_idx ON feed (actor_id, sequence);

-- A resource that an event of the feed concerns.
CREATE TABLE feed_audience (
  resource_id text,
  sequence bigint REFERENCES feed ON DELETE CASCADE,
  is_message boolean NOT NULL,
  PRIMARY KEY (resource_id, sequence)
);
CREATE INDEX feed_audience_sequence_idx ON feed_audience (sequence);
CREATE INDEX feed_audience_messages_idx ON feed_audience (resource_id, sequence) WHERE is_message;

-- The single row with the state of the feed.
CREATE TABLE feed_state (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  head bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  seen text NOT NULL
);
INSERT INTO feed_state (seen) VALUES ('1:1:');

-- The number of events of a type in a place on a day (UTC).
CREATE TABLE activity_counts (
  place text,
  day date,
  type text,
  count bigint NOT NULL,
  PRIMARY KEY (place, day, type)
);

-- An address to which the events of an organization or endeavour are sent.
CREATE TABLE webhooks (
  id text PRIMARY KEY REFERENCES entities,
  created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  organization_id text REFERENCES organizations,
  endeavour_id text REFERENCES endeavours,
  owner_id text NOT NULL REFERENCES resources,
  url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2048),
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 50),
  description text,
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_reason text CHECK (disabled_reason IN ('owner_left', 'moved', 'failing', 'gone')),
  deleted_at timestamptz(3),
  CONSTRAINT webhooks_container_check CHECK (num_nonnulls(organization_id, endeavour_id) = 1),
  CONSTRAINT webhooks_enabled_check CHECK (NOT is_enabled OR (disabled_reason IS NULL AND deleted_at IS NULL))
);
CREATE INDEX webhooks_organization_id_idx ON webhooks (organization_id);
CREATE INDEX webhooks_endeavour_id_idx ON webhooks (endeavour_id);
CREATE INDEX webhooks_owner_id_idx ON webhooks (owner_id);

-- The delivery state of a webhook; separate, so that workers do not change its row and revision.
CREATE TABLE webhook_states (
  webhook_id text PRIMARY KEY REFERENCES webhooks,
  since bigint NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  home_id text,
  secret_version integer NOT NULL DEFAULT 1,
  secret_rotated_at timestamptz(3),
  due_at timestamptz(3),
  rest_until timestamptz(3),
  claim integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3),
  is_slow boolean NOT NULL DEFAULT false,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  verified_at timestamptz(3) DEFAULT now()
);
CREATE INDEX webhook_states_due_at_idx ON webhook_states (due_at) WHERE due_at IS NOT NULL;

-- The position of the fan-out in the feed; one row.
CREATE TABLE webhook_feed (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  position bigint NOT NULL DEFAULT 0
);
INSERT INTO webhook_feed DEFAULT VALUES;

-- The delivery of an event or a test to a webhook. The message is read from the feed at each attempt.
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES webhooks,
  type text NOT NULL,
  event_id text,
  entity_id text,
  sequence bigint,
  order_key text,
  redelivery_of text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  attempted_at timestamptz(3),
  response_status integer,
  response_ms integer,
  response_body text,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  CONSTRAINT webhook_deliveries_finished_at_check CHECK ((status = 'pending') = (finished_at IS NULL)),
  CONSTRAINT webhook_deliveries_due_at_check CHECK (due_at IS NULL OR status = 'pending')
);
CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_due_at_idx ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_order_key_idx ON webhook_deliveries (webhook_id, order_key,
  sequence) WHERE status = 'pending' AND order_key IS NOT NULL;

-- One security-relevant action, or the refusals of one kind within a minute. Contains only ids and never changes.
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  action text NOT NULL,
  actor_id text,
  user_id text,
  entity_type text,
  entity_id text,
  endeavour_id text,
  organization_id text,
  former_organization_id text,
  session_id text,
  token_id text,
  request_id text,
  operation text,
  code text,
  reason text,
  count integer NOT NULL DEFAULT 1,
  details jsonb NOT NULL DEFAULT '{}',
  origin text
);
CREATE INDEX audit_entries_occurred_at_id_idx ON audit_entries (occurred_at, id);
CREATE INDEX audit_entries_organization_id_occurred_at_idx ON audit_entries (organization_id, occurred_at);
CREATE INDEX audit_entries_user_id_occurred_at_idx ON audit_entries (user_id, occurred_at);
CREATE INDEX audit_entries_actor_id_occurred_at_idx ON audit_entries (actor_id, occurred_at);
CREATE INDEX audit_entries_entity_id_occurred_at_idx ON audit_entries (entity_id, occurred_at);
CREATE INDEX audit_entries_former_organization_id_occurred_at_idx ON audit_entries (former_organization_id,
  occurred_at) WHERE former_organization_id IS NOT NULL;

-- The origin of an act. Personal data is kept apart from the act, so that it can be erased with the person.
CREATE TABLE audit_origins (
  entry_id text PRIMARY KEY REFERENCES audit_entries ON DELETE CASCADE,
  user_id text,
  address text,
  user_agent text,
  email text
);
CREATE INDEX audit_origins_user_id_idx ON audit_origins (user_id);
CREATE INDEX audit_origins_email_idx ON audit_origins (email) WHERE email IS NOT NULL;

-- The position of a committed entry in the chain: each hash covers the entry and the hash before it.
CREATE TABLE audit_seals (
  position bigint PRIMARY KEY,
  entry_id text NOT NULL,
  hash text NOT NULL,
  sealed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX audit_seals_entry_id_idx ON audit_seals (entry_id);
CREATE INDEX audit_seals_sealed_at_idx ON audit_seals (sealed_at);

-- An entry that has no seal yet; written with the entry.
CREATE TABLE audit_unsealed (
  entry_id text PRIMARY KEY REFERENCES audit_entries ON DELETE CASCADE
);

-- A signed checkpoint that replaces the seals of removed entries.
CREATE TABLE audit_checkpoints (
  position bigint PRIMARY KEY,
  hash text NOT NULL,
  dropped bigint NOT NULL,
  before timestamptz(3) NOT NULL,
  signature text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- A task whose latest check failed only because sign-offs are missing; written by a trigger on checks.
CREATE TABLE awaited_verdicts (
  task_id text PRIMARY KEY,
  endeavour_id text NOT NULL,
  roles text[] NOT NULL,
  author_roles text[] NOT NULL,
  since timestamptz(3) NOT NULL,
  FOREIGN KEY (task_id, endeavour_id) REFERENCES tasks(id, endeavour_id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX awaited_verdicts_endeavour_id_idx ON awaited_verdicts (endeavour_id);

-- A request for a verdict on a task; the next approval by the requested reviewer answers it.
CREATE TABLE review_requests (
  task_id text REFERENCES tasks ON DELETE CASCADE,
  resource_id text REFERENCES resources,
  requested_by text NOT NULL REFERENCES resources,
  requested_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (task_id, resource_id)
);
CREATE INDEX review_requests_resource_id_idx ON review_requests (resource_id);

-- A notification for a user about the events of an entity on one day; derived from the feed.
CREATE TABLE notifications (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users,
  entity_id text NOT NULL REFERENCES entities,
  entity_type text NOT NULL,
  day date NOT NULL,
  kinds text[] NOT NULL,
  count integer NOT NULL DEFAULT 1 CHECK (count > 0),
  actor_id text REFERENCES resources,
  source_id text,
  occurred_at timestamptz(3) NOT NULL,
  read_at timestamptz(3),
  mail_wanted_at timestamptz(3),
  mailed_at timestamptz(3),
  CONSTRAINT notifications_kinds_check CHECK (kinds <@
    '{assigned,owner_changed,review_wanted,verdict,comment,due,vote_wanted,invitation}' AND cardinality(kinds) > 0)
);
CREATE UNIQUE INDEX notifications_user_id_entity_id_day_idx ON notifications (user_id, entity_id, day);
CREATE INDEX notifications_user_id_occurred_at_id_idx ON notifications (user_id, occurred_at, id);
CREATE INDEX notifications_unread_idx ON notifications (user_id, occurred_at, id) WHERE read_at IS NULL;
CREATE INDEX notifications_mail_idx ON notifications (mail_wanted_at) WHERE mail_wanted_at IS NOT NULL
  AND mailed_at IS NULL;
CREATE INDEX notifications_mailed_idx ON notifications (user_id, mailed_at) WHERE mailed_at IS NOT NULL;
CREATE INDEX notifications_entity_id_idx ON notifications (entity_id);
CREATE INDEX notifications_source_id_idx ON notifications (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX notifications_occurred_at_idx ON notifications (occurred_at);

-- The last processed feed entry and due date; a single row.
CREATE TABLE notification_feed (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  position bigint NOT NULL DEFAULT 0,
  due_until timestamptz(3) NOT NULL,
  due_task_id text NOT NULL DEFAULT ''
);
INSERT INTO notification_feed (due_until) VALUES (now());

-- An import of a file into an endeavour or organization.
CREATE TABLE imports (
  id text PRIMARY KEY,
  operation_id text NOT NULL REFERENCES operations ON DELETE CASCADE,
  endeavour_id text REFERENCES endeavours ON DELETE CASCADE,
  slot text NOT NULL,
  format text NOT NULL,
  is_dry_run boolean NOT NULL,
  options jsonb NOT NULL DEFAULT '{}',
  lines integer NOT NULL,
  phase integer NOT NULL DEFAULT 0,
  position integer NOT NULL DEFAULT 0,
  counts jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  organization_id text REFERENCES organizations ON DELETE CASCADE,
  CONSTRAINT imports_organization_id_check CHECK (num_nonnulls(endeavour_id, organization_id) = 1)
);
CREATE INDEX imports_operation_id_idx ON imports (operation_id);
CREATE INDEX imports_slot_idx ON imports (slot);
CREATE INDEX imports_endeavour_id_idx ON imports (endeavour_id);
CREATE INDEX imports_organization_id_idx ON imports (organization_id) WHERE organization_id IS NOT NULL;

-- A record of an imported file. Stored before the row of its import, and deleted after the import has ended.
CREATE TABLE import_lines (
  import_id text REFERENCES imports ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  number integer,
  line integer NOT NULL,
  section text NOT NULL,
  key text,
  data jsonb NOT NULL,
  size integer,
  PRIMARY KEY (import_id, number)
);
CREATE INDEX import_lines_import_id_section_number_idx ON import_lines (import_id, section, number);
CREATE INDEX import_lines_name_idx ON import_lines (import_id, (section || ' ' || key), number);

-- A line that was not imported, with the reason.
CREATE TABLE import_refusals (
  id bigserial PRIMARY KEY,
  import_id text NOT NULL REFERENCES imports ON DELETE CASCADE,
  line integer NOT NULL,
  external_id text,
  code text NOT NULL,
  reason text,
  message text NOT NULL
);
CREATE INDEX import_refusals_import_id_id_idx ON import_refusals (import_id, id);

-- A task that a bulk operation could not change; deleted when the operation ends.
CREATE TABLE bulk_task_refusals (
  operation_id text REFERENCES operations ON DELETE CASCADE,
  task_id text,
  code text NOT NULL,
  reason text,
  message text NOT NULL,
  PRIMARY KEY (operation_id, task_id)
);

-- The entity that a record of an export maps to in the target container.
CREATE TABLE imported_entities (
  container_id text REFERENCES entities,
  external_id text,
  entity_id text NOT NULL REFERENCES entities,
  PRIMARY KEY (container_id, external_id)
);
CREATE INDEX imported_entities_entity_id_idx ON imported_entities (entity_id);

-- A committed event without a sequence, because too many were committed at once; written by number_events().
CREATE TABLE feed_backlog (
  event_sequence bigint PRIMARY KEY
);

-- A running process of the service, which updates its row every few seconds and deletes it when it stops.
CREATE TABLE replicas (
  id text PRIMARY KEY,
  version text NOT NULL,
  commit text,
  schema bigint NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- One row: the schema that a release must contain to run on this database, which contracts raise.
CREATE TABLE schema_requirements (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  least_schema bigint NOT NULL DEFAULT 0
);
INSERT INTO schema_requirements DEFAULT VALUES;

-- A period in which an agent had a manager that it has no longer; written by a trigger and never deleted, because the
-- manager still answers for what the agent did then (see the function `people_behind`).
CREATE TABLE former_managers (
  id bigserial PRIMARY KEY,
  agent_id text NOT NULL REFERENCES users,
  manager_id text NOT NULL REFERENCES users,
  began_at timestamptz(3),
  ended_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX former_managers_agent_id_idx ON former_managers (agent_id);

-- An edge between two tasks of one endeavour that stopped to count, because it was deleted or one of them was moved
-- away; written by triggers. It counts on in the Definition of Done unless an admin did it who is no author of the
-- task.
CREATE TABLE lost_edges (
  id bigserial PRIMARY KEY,
  relation_id text NOT NULL REFERENCES relations ON DELETE CASCADE,
  lost_by text,
  by_admin boolean NOT NULL,
  lost_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  by_author boolean
);
CREATE INDEX lost_edges_relation_id_idx ON lost_edges (relation_id);

-- Something in the file of an import that was not understood, with how often it occurs and what was done instead.
CREATE TABLE import_notes (
  import_id text REFERENCES imports ON DELETE CASCADE,
  kind text,
  name text,
  message text,
  line integer,
  count integer NOT NULL,
  found bigint NOT NULL,
  total bigint NOT NULL,
  PRIMARY KEY (import_id, kind, name, message)
);

-- The values of an entity in the system that it comes from, as they were at its last import.
CREATE TABLE import_sources (
  entity_id text PRIMARY KEY REFERENCES entities,
  values jsonb NOT NULL
);

-- An entity that an import created or changed.
CREATE TABLE import_results (
  import_id text REFERENCES imports ON DELETE CASCADE,
  entity_id text REFERENCES entities,
  outcome text NOT NULL CHECK (outcome IN ('created', 'updated')),
  PRIMARY KEY (import_id, entity_id)
);
CREATE INDEX import_results_entity_id_idx ON import_results (entity_id);

-- A table whose rows still have search words of an earlier release, and the last row that has been renewed.
CREATE TABLE search_renewals (
  table_name text PRIMARY KEY,
  after_id text NOT NULL DEFAULT ''
);

-- A backup that `npm run restore -- --verify` restored and found to be intact.
CREATE TABLE restore_drills (
  id bigserial PRIMARY KEY,
  verified_at timestamptz(3) NOT NULL DEFAULT now(),
  backup_begun_at timestamptz(3) NOT NULL,
  rows bigint NOT NULL
);

-- A copy of a message that its recipient gets by mail, together with those that arrive at about the same time. A
-- trigger of the outbox deletes it if its mail lapses. Housekeeping removes old ones.
CREATE TABLE message_copies (
  delivery_id text PRIMARY KEY REFERENCES message_deliveries ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users,
  sender_id text REFERENCES resources,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  gathered_at timestamptz(3),
  mail text,
  CONSTRAINT message_copies_gathered_check CHECK ((gathered_at IS NULL) = (mail IS NULL))
);
CREATE INDEX message_copies_waiting_idx ON message_copies (user_id) WHERE mail IS NULL;
CREATE INDEX message_copies_user_id_created_at_idx ON message_copies (user_id, created_at);
CREATE INDEX message_copies_user_id_gathered_at_idx ON message_copies (user_id, gathered_at);
CREATE INDEX message_copies_mail_idx ON message_copies (mail);
CREATE INDEX message_copies_created_at_idx ON message_copies (created_at);

-- Tables that refer to each other.
ALTER TABLE users ADD FOREIGN KEY (resource_id) REFERENCES resources;
ALTER TABLE users ADD FOREIGN KEY (tier) REFERENCES tiers;
ALTER TABLE users ADD FOREIGN KEY (agent_of) REFERENCES organizations;
ALTER TABLE resources ADD FOREIGN KEY (organization_id, id) REFERENCES organization_resources(organization_id,
  resource_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE organizations ADD FOREIGN KEY (closed_by) REFERENCES operations;
ALTER TABLE endeavours ADD FOREIGN KEY (dod_policy_id) REFERENCES dod_policies;
ALTER TABLE endeavours ADD FOREIGN KEY (organization_id, id) REFERENCES organization_endeavours(organization_id,
  endeavour_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE endeavours ADD FOREIGN KEY (closed_by) REFERENCES operations;
ALTER TABLE tasks ADD FOREIGN KEY (dod_check_id) REFERENCES dod_checks;
