import { emailOfUser } from '../../access/visibility/people.view.js';
import { normalizeEmail } from '../../common/network/email.js';
import type { Filter, ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { INVITATION_KINDS, INVITATION_STATUSES } from './invitation.entity.js';
import { invitationStatus, invitationView } from './invitation.view.js';

/** SQL: whether the user is admin of the organization or endeavour of the invitation `i`. */
export const managedBy = (me: string): string =>
  `(i.organization_id = ANY(ARRAY(SELECT m.organization_id FROM organization_resources m
      WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))
    OR i.endeavour_id = ANY(ARRAY(SELECT g.endeavour_id FROM endeavour_grants g
      WHERE g.user_id = ${me} AND g.rank >= 3)))`;

/** SQL: whether the invitation `i` is for the user, by id or by verified e-mail address. */
export const isFor = (me: string): string => `(NOT i.is_muted AND i.invitee IN (${me}, ${emailOfUser(me)}))`;

const email: Filter = {
  schema: { type: 'string', format: 'email' },
  description: 'Invitations for this e-mail address.',
  parse: (raw) => ({ value: normalizeEmail(raw) ?? raw }),
  where: (address: string, { bind }) => `i.email = ${bind(address)}`,
};

/** Lists invitations to organizations and endeavours where the user is admin, except for withdrawn ones. */
export const invitationList: ListDefinition = {
  view: invitationView,
  scope: ({ me }) => managedBy(me),
  baseCondition: 'i.deleted_at IS NULL',
  filters: {
    organization_id: idFilter('i.organization_id', 'organization', 'Invitations to this organization.', {
      isUnset: 'i.organization_id IS NULL',
    }),
    endeavour_id: idFilter('i.endeavour_id', 'endeavour', 'Invitations to this endeavour.', {
      isUnset: 'i.endeavour_id IS NULL',
    }),
    kind: oneOfFilter('i.kind', INVITATION_KINDS),
    status: oneOfFilter(`(${invitationStatus})`, INVITATION_STATUSES),
    email,
    ...rangeFilters({ created: 'i.created_at', updated: 'i.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    expires_at: { sql: 'i.expires_at', type: 'timestamptz' },
  },
};

/** Lists the caller's own invitations (`mine=true`), by default the open ones. */
export const ownInvitationList: ListDefinition = {
  ...invitationList,
  scope: ({ me }) => isFor(me),
  defaultFilters: { status: `(${invitationStatus}) = 'open'` },
};
