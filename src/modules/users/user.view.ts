import {
  defineView,
  boolean,
  erased,
  id,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';
import { USER_STATUSES, USER_TYPES } from './user.entity.js';

const tierName = '(SELECT t.name FROM tiers t WHERE t.id = u.tier)';

/** A user as administrators and the user themselves see it. */
export const userView = defineView({
  name: 'User',
  kind: 'user',
  table: 'users',
  alias: 'u',
  // A new user has no containers.
  whenRead: ({ revision, body }) =>
    revision === 1 ? `${body.slice(0, -1)},"organizations":[],"endeavours":[]}` : null,
  joins: '',
  fields: {
    id: id('u.id', 'user'),
    name: text('u.name'),
    email: nullable(text('CASE WHEN NOT u.is_managed THEN u.email END', 'The e-mail address; null for agents.')),
    status: oneOf('u.status', USER_STATUSES),
    user_type: oneOf('u.user_type', USER_TYPES),
    lang: text('u.lang', 'A language as a BCP 47 tag.'),
    timezone: text('u.timezone', 'IANA'),
    email_copy: erased(boolean('u.email_copy')),
    is_admin: boolean('u.is_admin'),
    tier: integer('u.tier'),
    tier_name: text(tierName),
    resource_id: id('u.resource_id', 'resource'),
    external_id: nullable(text('u.external_id')),
    login_count: erased(integer('u.login_count')),
    last_active_at: nullable(time('u.last_active_at')),
    metadata: metadata('u.metadata'),
    created_at: time('u.created_at'),
    updated_at: time('u.updated_at'),
    revision: integer('u.revision'),
  },
});
