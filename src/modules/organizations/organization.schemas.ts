import { exactly, extendedSchema } from '../../platform/http/openapi/schemas.js';
import { organizationView } from './organization.view.js';

const ID = { type: 'string' };

/** An organization after a change, with what its rule on second factors shuts out. */
export const updatedOrganization = extendedSchema(
  'UpdatedOrganization',
  organizationView,
  {},
  {
    without_second_factor: {
      type: 'array',
      items: exactly({ user_id: ID, name: { type: 'string' } }),
      description:
        'With `second_factor` required: the people who have no second factor, passkey or provider that asks for one, and are ' +
        'therefore shut out until they set one up. At most 1000.',
    },
    tokens_without_second_factor: {
      type: 'array',
      items: exactly({
        id: ID,
        user_id: ID,
        is_restricted: {
          type: 'boolean',
          description:
            'Whether it is restricted to the organization or its endeavours, so that `revoke_tokens` ends it.',
        },
      }),
      description: 'With `second_factor` required: the access tokens that were made without one, which are shut out.',
    },
  },
);
