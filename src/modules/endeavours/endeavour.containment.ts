import { joinOrganization } from '../../access/visibility/containers.view.js';
import type { Containment } from '../../platform/containment/containment.js';
import { EXPORT_SCOPE, listPart, onePart, type ExportPart } from '../../platform/containment/export-part.js';
import { defineView, json, rowsAsJson } from '../../platform/database/views/view.js';
import { endeavourMemberView } from './members/endeavour-member.view.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView, goalsInside } from './endeavour.view.js';

/** A member in an export, without organizations outside of the export in `via`. */
const exportedMember = defineView({
  ...endeavourMemberView,
  name: 'ExportedEndeavourMember',
  fields: {
    ...endeavourMemberView.fields,
    via: json(`ARRAY(SELECT way FROM unnest(m.via) way WHERE way = ANY(${EXPORT_SCOPE.homes}))`, { type: 'array' }),
  },
});

/** Only direct members are exported: members with derived roles are exported with their organization. */
const member = rowsAsJson(exportedMember);
const members = `(SELECT coalesce(json_agg(member.body ORDER BY member.id), '[]') FROM (
  SELECT ${member.select} FROM ${member.from} WHERE m.endeavour_id = e.id AND m.direct) member)`;

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name))
  FROM organization_endeavours l ${joinOrganization('o', 'l.organization_id')}
  WHERE l.endeavour_id = e.id AND o.id = ANY(${EXPORT_SCOPE.homes})), '[]')`;

/** An endeavour in an export, without organizations outside of the export and without links of goals to other containers. */
const exportedEndeavour = defineView({
  ...endeavourView,
  name: 'ExportedEndeavour',
  fields: {
    ...endeavourView.fields,
    goals: json(goalsInside, { type: 'array' }),
    organizations: json(organizations, { type: 'array' }),
  },
});

/** The parts of an export with the endeavour itself and its members. */
export const endeavourParts: readonly ExportPart[] = [
  onePart('endeavour', exportedEndeavour, ({ endeavours }) => `e.id = ANY(${endeavours})`),
  listPart('members', exportedMember, ({ endeavours }) => `m.endeavour_id = ANY(${endeavours})`),
];

/** An endeavour in the export of an organization, with its members. */
const withMembers = defineView({
  ...exportedEndeavour,
  name: 'ExportedEndeavourWithMembers',
  fields: { ...exportedEndeavour.fields, members: json(members, { type: 'array' }) },
});

/** An endeavour is part of its own contents, and is archived after the others. */
export const endeavourContainment: Containment<Endeavour> = {
  exportKey: 'endeavours',
  view: endeavourView,
  exported: withMembers,
  // A link to another organization also concerns that organization.
  changes: ({ homes }) => `(v.organization_id = ANY(${homes})) IS NOT FALSE`,
  erasing: null,
  archiveCascade: {
    entity: Endeavour,
    endeavourId: 'e.id',
    alive: "e.status <> 'archived'",
    changes: (_canceledReason, archivedAt, archivedReason) => ({ status: 'archived', archivedAt, archivedReason }),
    type: 'endeavour.archived',
    undoneType: 'endeavour.unarchived',
  },
};
