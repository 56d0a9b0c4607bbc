/** The floors of the house (docs/architecture.md) as law: people walk down, never up. */
const AREAS = [
  'operations',
  'tokens',
  'messages',
  'resources',
  'users',
  'agents',
  'invitations',
  'auth',
  'organizations',
  'endeavours',
  'demands',
  'dependencies',
  'tasks',
  'artifacts',
  'templates',
  'rituals',
  'comments',
  'relations',
  'approvals',
  'dod',
  'leaving',
  'following',
  'audit',
  'webhooks',
  'rights',
];

const neverUp = AREAS.slice(0, -1).map((area, i) => ({
  name: `area-order-${area}`,
  comment: `${area} may import only the areas before it: ${AREAS.slice(0, i).join(', ') || 'none'}`,
  severity: 'error',
  from: { path: `^src/modules/${area}/` },
  to: { path: `^src/modules/(${AREAS.slice(i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: { path: '^(src|test)/' }, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'common-knows-no-framework',
      comment: 'the ground floor imports nothing but node and itself',
      severity: 'error',
      from: { path: '^src/common/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^src/common/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'platform-knows-no-floor-above',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(access|modules|migrations)/' },
    },
    {
      name: 'access-knows-no-area',
      severity: 'error',
      from: { path: '^src/access/' },
      to: { path: '^src/(modules|migrations)/' },
    },
    {
      name: 'areas-meet-through-services',
      comment:
        'of another area: its service, module, lifecycle or constants; never its entity, DTO, view or controller',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/.+\\.(entity|dto|controller|list)\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'repositories-stay-home',
      comment: 'only entities, modules and the database platform import TypeORM',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '\\.entity\\.ts$',
          '\\.module\\.ts$',
          '^src/platform/database/',
          '^src/migrations/',
          '^src/schema\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    ...neverUp,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
  },
};
