import { SESSION_METHODS } from '../../../common/proofs.js';
import { defineView, boolean, id, nullable, oneOf, text, time } from '../../../platform/database/views/view.js';

/** The representation of a session. */
export const sessionView = defineView({
  name: 'Session',
  kind: 'session',
  table: 'sessions',
  alias: 's',
  joins: '',
  fields: {
    id: id('s.id', 'session'),
    // The statement has no access to the current session; the service sets this property.
    is_current: {
      ...boolean('false'),
      schema: { type: 'boolean', description: 'Whether this is the session of the current request.' },
    },
    method: oneOf('s.method', SESSION_METHODS, 'How the person signed in.'),
    proved_at: time('coalesce(s.proved_at, s.created_at)'),
    created_at: time('s.created_at'),
    expires_at: time('s.expires_at'),
    client_address: nullable(text('s.client_address', 'The IP address from which the user signed in.')),
    user_agent: nullable(
      text('s.user_agent', 'The User-Agent of the client that signed in, shortened to 300 characters.'),
    ),
  },
});
