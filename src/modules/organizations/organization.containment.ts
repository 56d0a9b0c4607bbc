import { joinEndeavour } from '../../access/visibility/containers.view.js';
import type { Column } from '../../platform/containment/erasing.js';
import { ALL_PARAMETERS, listPart, onePart, type ExportPart } from '../../platform/containment/export-part.js';
import { organizationMemberView } from './members/organization-member.view.js';
import { organizationView } from './organization.view.js';

/** The rows that are erased together with an empty endeavour. */
export const ROWS_OF_ENDEAVOUR: readonly Column[] = [
  { table: 'endeavour_members', column: 'endeavour_id' },
  { table: 'organization_endeavours', column: 'endeavour_id' },
];

/** The rows that are erased together with an empty organization. */
export const ROWS_OF_ORGANIZATION: readonly Column[] = [
  { table: 'organization_resources', column: 'organization_id' },
  { table: 'organization_endeavours', column: 'organization_id' },
  { table: 'alert_terms', column: 'organization_id' },
  { table: 'alerts', column: 'organization_id' },
];

/** The parts of an export about the organization itself. */
export const organizationParts: readonly ExportPart[] = [
  onePart('organization', organizationView, ({ organization }) => `o.id = ${organization}`),
  listPart('members', organizationMemberView, ({ organization }) => `m.organization_id = ${organization}`),
];

/** SQL: the names of linked endeavours with another home. */
const names = `SELECT json_build_object('name', e.name)::text AS body
  FROM organization_endeavours l ${joinEndeavour('e', 'l.endeavour_id')}
  WHERE l.organization_id = $3 AND e.id <> ALL($2::text[]) AND ${ALL_PARAMETERS} ORDER BY e.id`;

/** Adds the names of shared endeavours to the part of the endeavours. */
export const withSharedNames = (part: ExportPart): ExportPart =>
  part.name === 'endeavours' ? { ...part, queries: [...part.queries, names] } : part;
