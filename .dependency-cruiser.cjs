const { readdirSync } = require('node:fs');

/** The import rules of the layers (docs/architecture.md): a file imports from its own layer and from lower ones. */
const FEATURES = [
  'operations',
  'credentials',
  'tokens',
  'messages',
  'resources',
  'users',
  'agents',
  'invitations',
  'auth',
  'passkeys',
  'domains',
  'identity-providers',
  'step-up',
  'totp',
  'organizations',
  'scim',
  'oauth',
  'watches',
  'endeavours',
  'labels',
  'iterations',
  'demands',
  'dependencies',
  'tasks',
  'time-entries',
  'artifacts',
  'views',
  'rules',
  'templates',
  'rituals',
  'calendar',
  'comments',
  'relations',
  'imports',
  'approvals',
  'dod',
  'activity',
  'rule-events',
  'audit',
  'webhooks',
  'rights',
  'work',
  'notifications',
  'privacy',
  'diffs',
  'search',
  'batch',
];

/** The folders of the platform; each imports only from those before it. */
const PLATFORM = [
  'config',
  'logging',
  'spans',
  'database',
  'outgoing',
  'context',
  'release',
  'metrics',
  'text-observers',
  'transitions',
  'tracing',
  'jobs',
  'partitions',
  'audit',
  'events',
  'files',
  'limits',
  'mail',
  'replicas',
  'doctor',
  'health',
  'http',
  'containment',
  'listing',
  'process',
];

/** The rules for the folders of `path`: each may import only from those before it. */
function inOrder(path, names) {
  const entries = readdirSync(`${__dirname}/${path}`, { withFileTypes: true });
  const unlisted = entries.filter((entry) => entry.isDirectory() && !names.includes(entry.name));
  if (unlisted.length > 0)
    throw new Error(`Folders of ${path} without a position in the order: ${unlisted.map(({ name }) => name).join(', ')}`);
  return names.slice(0, -1).map((name, i) => ({
    name: `order-of-${path.split('/').pop()}-${name}`,
    comment: `${name} may import only from the folders before it: ${names.slice(0, i).join(', ') || 'none'}`,
    severity: 'error',
    from: { path: `^${path}/${name}/` },
    to: { path: `^${path}/(${names.slice(i + 1).join('|')})/` },
  }));
}

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
      comment: 'the lowest layer imports only Node and itself',
      severity: 'error',
      from: { path: '^src/common/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^src/common/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'platform-imports-no-higher-layer',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(access|modules|migrations)/' },
    },
    {
      name: 'access-imports-no-feature',
      severity: 'error',
      from: { path: '^src/access/' },
      to: { path: '^src/(modules|migrations)/' },
    },
    {
      name: 'no-layer-imports-the-embedded-database',
      comment: 'only the entry points and the tests know that the database can be embedded',
      severity: 'error',
      from: { path: '^src/(common|platform|access|modules|migrations)/' },
      to: { path: '^src/embedded-postgres/' },
    },
    {
      name: 'embedded-database-imports-no-feature',
      severity: 'error',
      from: { path: '^src/embedded-postgres/' },
      to: { path: '^src/(access|modules|migrations)/' },
    },
    {
      name: 'features-use-services-of-others',
      comment:
        'of another feature: its service, module, lifecycle or constants; never its entity, DTO, view or controller',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/.+\\.(entity|dto|controller|list)\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'typeorm-in-entities-modules-and-database-only',
      comment: 'only entities, modules and the database platform import TypeORM',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '\\.entity\\.ts$',
          '\\.module\\.ts$',
          '^src/platform/database/',
          // Runs the migrations without a database.
          '^src/platform/doctor/expected-objects\\.ts$',
          '^src/migrations/',
          '^src/schema\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    ...inOrder('src/platform', PLATFORM),
    ...inOrder('src/modules', FEATURES),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
  },
};
