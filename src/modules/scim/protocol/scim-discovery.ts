import { GROUP_SCHEMA, listResponse, USER_SCHEMA, WORK_SCHEMA, type ScimDocument } from './scim-documents.js';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/** The most resources of one response. */
const MAX_RESULTS = 200;

interface Attribute {
  type?: string;
  description: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  uniqueness?: 'none' | 'server';
  referenceTypes?: string[];
  canonicalValues?: string[];
  subAttributes?: Record<string, Attribute>;
}

function attribute(name: string, { subAttributes, ...given }: Attribute): ScimDocument {
  return {
    name,
    type: subAttributes === undefined ? 'string' : 'complex',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...given,
    ...(subAttributes && { subAttributes: attributes(subAttributes) }),
  };
}

const attributes = (all: Record<string, Attribute>): ScimDocument[] =>
  Object.entries(all).map(([name, one]) => attribute(name, one));

const EXTERNAL_ID: Attribute = { description: 'What the directory calls it.', caseExact: true };

const USER: Record<string, Attribute> = {
  userName: {
    description: 'The name by which the directory knows the person; unique in the organization.',
    required: true,
    uniqueness: 'server',
  },
  externalId: EXTERNAL_ID,
  displayName: { description: 'The name that is shown.' },
  name: {
    description: 'The parts of the name.',
    subAttributes: {
      formatted: { description: 'The whole name.' },
      givenName: { description: 'The given name.' },
      familyName: { description: 'The family name.' },
    },
  },
  emails: {
    description: 'E-mail addresses; the primary one, else that for work, else the first is that of the account.',
    multiValued: true,
    subAttributes: {
      value: { description: 'The address.' },
      type: { description: 'What it is for.', canonicalValues: ['work', 'home', 'other'] },
      primary: { type: 'boolean', description: 'Whether it is the preferred one.' },
    },
  },
  active: {
    type: 'boolean',
    description:
      'Whether the person belongs to the organization; true for a new person without it. It cannot be removed.',
    required: true,
  },
};

const GROUP: Record<string, Attribute> = {
  displayName: { description: 'The name of the team.', required: true },
  externalId: EXTERNAL_ID,
  members: {
    description: 'The people in the team.',
    multiValued: true,
    subAttributes: {
      value: { description: 'The id of the person.', caseExact: true, mutability: 'immutable' },
      display: { description: 'The name of the person.', mutability: 'readOnly' },
      type: { description: 'Always User.', canonicalValues: ['User'], mutability: 'immutable' },
      $ref: {
        type: 'reference',
        referenceTypes: ['User'],
        description: 'The address of the person; the id counts.',
        caseExact: true,
        mutability: 'immutable',
      },
    },
  },
};

const WORK: Record<string, Attribute> = {
  openWork: {
    description: 'Open tasks and demands of somebody who was dismissed, which stay assigned.',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: {
      value: { description: 'The id of the task or demand.', caseExact: true, mutability: 'readOnly' },
      type: { description: 'task or demand.', canonicalValues: ['task', 'demand'], mutability: 'readOnly' },
    },
  },
};

interface Described {
  id: string;
  name: string;
  description: string;
  attributes: Record<string, Attribute>;
}

const SCHEMAS: readonly Described[] = [
  { id: USER_SCHEMA, name: 'User', description: 'A person of the organization.', attributes: USER },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A team of the organization.', attributes: GROUP },
  { id: WORK_SCHEMA, name: 'Work', description: 'The work of a person.', attributes: WORK },
];

const metaOf = (resourceType: string, location: string): ScimDocument => ({ resourceType, location });

const schemaDocument = ({ id, name, description, attributes: all }: Described, root: string): ScimDocument => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes: attributes(all),
  meta: metaOf('Schema', `${root}/Schemas/${id}`),
});

const resourceTypes = (root: string): ScimDocument[] => [
  {
    schemas: [RESOURCE_TYPE],
    id: 'User',
    name: 'User',
    description: 'A person of the organization.',
    endpoint: '/Users',
    schema: USER_SCHEMA,
    schemaExtensions: [{ schema: WORK_SCHEMA, required: false }],
    meta: metaOf('ResourceType', `${root}/ResourceTypes/User`),
  },
  {
    schemas: [RESOURCE_TYPE],
    id: 'Group',
    name: 'Group',
    description: 'A team of the organization.',
    endpoint: '/Groups',
    schema: GROUP_SCHEMA,
    schemaExtensions: [],
    meta: metaOf('ResourceType', `${root}/ResourceTypes/Group`),
  },
];

const config = (root: string): ScimDocument => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Provisioning token',
      description: 'A provisioning token of the organization, sent as Authorization: Bearer.',
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${root}/ServiceProviderConfig`),
});

/**
 * What the interface can do, for the organization at that address: the resource of that name, or the one with the id in it;
 * undefined if there is none.
 */
export function discovered(root: string, name: string, id?: string): ScimDocument | undefined {
  if (name === 'ServiceProviderConfig') return id === undefined ? config(root) : undefined;
  const all = name === 'Schemas' ? SCHEMAS.map((one) => schemaDocument(one, root)) : resourceTypes(root);
  if (id !== undefined) return all.find((one) => one.id === id);
  return listResponse(all, all.length, { startIndex: 1, count: all.length });
}
