/** The areas of the interface that the scopes of access tokens refer to. */
const AREAS = [
  'users',
  'organizations',
  'endeavours',
  'demands',
  'tasks',
  'resources',
  'rituals',
  'templates',
  'artifacts',
  'comments',
  'relations',
  'approvals',
  'messages',
  'dod',
] as const;

export type TokenScope = `${(typeof AREAS)[number] | '*'}:${'read' | 'write'}` | '*';

/** All scopes of access tokens. `*:read` allows reads in all areas, `*` allows everything. */
export const TOKEN_SCOPES: readonly TokenScope[] = [
  ...AREAS.flatMap((area): TokenScope[] => [`${area}:read`, `${area}:write`]),
  '*:read',
  '*',
];
