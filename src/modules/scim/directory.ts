import type { Granter } from '../../access/memberships/membership-rows.js';
import { printable } from '../../common/texts/text.js';
import type { DirectoryToken } from './tokens/scim-tokens.repository.js';

/** The directory of an organization, as the one who acts: no person, and whatever the organization may do. */
export interface Directory extends Granter {
  organizationId: string;
  tokenId: string;
}

/** The directory that sends a request with the token. */
export const directoryWith = ({ id, organizationId, organizationName }: DirectoryToken): Directory => ({
  organizationId,
  tokenId: id,
  userId: '',
  resourceId: '',
  name: printable(`The directory of ${organizationName}`, 500),
  isAdmin: true,
  isDirectory: true,
});
