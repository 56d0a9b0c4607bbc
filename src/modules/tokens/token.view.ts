import { TOKEN_KINDS } from '../../access/authentication/calendar-tokens.js';
import { TOKEN_SCOPES } from '../../access/permissions/token-scope.js';
import {
  defineView,
  id,
  json,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';

const scopes = { type: 'array', items: { type: 'string', enum: [...TOKEN_SCOPES] } };
const networks = {
  type: 'array',
  items: { type: 'string' },
  description: 'The networks from which the token can be used; empty for all.',
};

/** An access token without its secret. */
export const tokenView = defineView({
  name: 'AccessToken',
  kind: 'access_token',
  table: 'access_tokens',
  alias: 'a',
  joins: 'LEFT JOIN access_token_uses used ON used.token_id = a.id',
  fields: {
    id: id('a.id', 'access_token'),
    user_id: id('a.user_id', 'user'),
    kind: oneOf('a.kind', TOKEN_KINDS),
    name: text('a.name'),
    scopes: json<string[]>('a.scopes', scopes),
    organization_id: nullable(id('a.organization_id', 'organization')),
    endeavour_id: nullable(id('a.endeavour_id', 'endeavour')),
    allowed_networks: withoutEventValue(json<string[]>('a.allowed_networks', networks)),
    expires_at: time('a.expires_at'),
    idle_days: nullable(
      integer('a.idle_days', 'The days without use after which the token expires; each use moves expires_at.'),
    ),
    last_used_at: withoutEventValue(nullable(time('used.used_at'))),
    last_used_address: withoutEventValue(nullable(text('used.address'))),
    created_at: time('a.created_at'),
    updated_at: time('a.updated_at'),
    revision: integer('a.revision'),
  },
});
