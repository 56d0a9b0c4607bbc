import type { Erasing } from '../../platform/containment/erasing.js';

/** Invitations are erased with their organization or endeavour. */
export const invitationErasing: Erasing = {
  kind: 'invitation',
  table: 'invitations',
  within: `SELECT i.id FROM invitations i WHERE i.endeavour_id = ANY($1::text[]) OR i.organization_id = $2::text`,
  parts: [{ table: 'invitation_acceptances', column: 'invitation_id' }],
};
