import { joinOrganization } from '../../access/containers.view.js';
import type { Containment } from '../../platform/containment/containment.js';
import { INSIDE, listPart, onePart, type ExportPart } from '../../platform/containment/export-part.js';
import { defineView, json, rowsAsJson } from '../../platform/database/view.js';
import { endeavourMemberView } from './endeavour-member.view.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView, goalsInside } from './endeavour.view.js';

/** A member without the other organizations that gave them a role. */
const exportedMember = defineView({
  ...endeavourMemberView,
  name: 'ExportedEndeavourMember',
  fields: {
    ...endeavourMemberView.fields,
    via: json(`ARRAY(SELECT way FROM unnest(m.via) way WHERE way = ANY(${INSIDE.homes}))`, { type: 'array' }),
  },
});

/** Direct members only: people with derived roles are members of their organizations. */
const member = rowsAsJson(exportedMember);
const members = `(SELECT coalesce(json_agg(member.body ORDER BY member.id), '[]') FROM (
  SELECT ${member.select} FROM ${member.from} WHERE m.endeavour_id = e.id AND m.direct) member)`;

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name))
  FROM organization_endeavours l ${joinOrganization('o', 'l.organization_id')}
  WHERE l.endeavour_id = e.id AND o.id = ANY(${INSIDE.homes})), '[]')`;

/** An endeavour without the other organizations that it is linked to, and without links to what is in other containers. */
const exportedEndeavour = defineView({
  ...endeavourView,
  name: 'ExportedEndeavour',
  fields: {
    ...endeavourView.fields,
    goals: json(goalsInside, { type: 'array' }),
    organizations: json(organizations, { type: 'array' }),
  },
});

/** What an export says of the endeavour itself. */
export const endeavourParts: readonly ExportPart[] = [
  onePart('endeavour', exportedEndeavour, ({ endeavours }) => `e.id = ANY(${endeavours})`),
  listPart('members', exportedMember, ({ endeavours }) => `m.endeavour_id = ANY(${endeavours})`),
];

/** In the export of an organization: with its members. */
const withMembers = defineView({
  ...exportedEndeavour,
  name: 'ExportedEndeavourWithMembers',
  fields: { ...exportedEndeavour.fields, members: json(members, { type: 'array' }) },
});

/** An endeavour contains itself, and is archived after its contents. */
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
