import { PROTECTED_RESOURCES } from '../../common/programs.js';
import { TOKEN_SCOPES } from '../../access/permissions/token-scope.js';
import {
  defineView,
  id,
  integer,
  json,
  nullable,
  oneOf,
  text,
  time,
  withoutEventValue,
} from '../../platform/database/views/view.js';

const scopes = { type: 'array', items: { type: 'string', enum: TOKEN_SCOPES.filter((scope) => scope !== '*') } };

/** What a person has granted to a program of others: an access token of the kind `oauth`, as its person sees it. */
export const grantView = defineView({
  name: 'Grant',
  kind: 'access_token',
  table: 'access_tokens',
  alias: 'a',
  joins: 'LEFT JOIN access_token_uses used ON used.token_id = a.id',
  fields: {
    id: id('a.id', 'access_token'),
    client_id: text('a.client_id'),
    resource: oneOf(
      'a.resource',
      PROTECTED_RESOURCES,
      'What the program is let into: the interface, or its tools for AI.',
    ),
    name: text('a.name'),
    scopes: json<string[]>('a.scopes', scopes),
    organization_id: nullable(id('a.organization_id', 'organization')),
    endeavour_id: nullable(id('a.endeavour_id', 'endeavour')),
    expires_at: time('a.expires_at'),
    last_used_at: withoutEventValue(nullable(time('used.used_at'))),
    last_used_address: withoutEventValue(nullable(text('used.address'))),
    created_at: time('a.created_at'),
    updated_at: time('a.updated_at'),
    revision: integer('a.revision'),
  },
});
