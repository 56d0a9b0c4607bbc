import {
  defineView,
  id,
  integer,
  nullable,
  text,
  time,
  withoutEventValue,
} from '../../../platform/database/views/view.js';

/** A registration token without its secret. */
export const registrationTokenView = defineView({
  name: 'RegistrationToken',
  kind: 'registration_token',
  table: 'oauth_registration_tokens',
  alias: 'rt',
  joins: '',
  fields: {
    id: id('rt.id', 'registration_token'),
    name: text('rt.name'),
    expires_at: time('rt.expires_at'),
    last_used_at: withoutEventValue(nullable(time('rt.last_used_at'))),
    created_at: time('rt.created_at'),
    updated_at: time('rt.updated_at'),
    revision: integer('rt.revision'),
  },
});
