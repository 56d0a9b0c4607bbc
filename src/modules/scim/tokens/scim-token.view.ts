import {
  defineView,
  id,
  integer,
  nullable,
  text,
  time,
  withoutEventValue,
} from '../../../platform/database/views/view.js';

/** A provisioning token without its secret. */
export const scimTokenView = defineView({
  name: 'ScimToken',
  kind: 'scim_token',
  table: 'scim_tokens',
  alias: 'st',
  joins: '',
  fields: {
    id: id('st.id', 'scim_token'),
    organization_id: id('st.organization_id', 'organization'),
    name: text('st.name'),
    made_by: nullable(id('st.made_by', 'user')),
    expires_at: time('st.expires_at'),
    last_used_at: withoutEventValue(nullable(time('st.last_used_at'))),
    created_at: time('st.created_at'),
    updated_at: time('st.updated_at'),
    revision: integer('st.revision'),
  },
});
