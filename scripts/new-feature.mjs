/** `npm run new:feature <plural name>`: writes a feature in endeavours with five operations, and registers it everywhere. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { nextTimestamp } from './next-migration.mjs';
import { exitWithUsage, isHelp } from './usage.mjs';
import { formatted, writeAll } from './write-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const templates = join(root, 'scripts/new-feature');
const USAGE = `Writes a feature whose entities belong to endeavours, with five operations, and registers it everywhere.

  npm run new:feature -- <plural name> [--singular <name>] [--prefix <three letters>]
  npm run new:feature -- expense-reports --singular expense-report --prefix xpr`;

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);
const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => capitalized(camel(name));

/** The forms of the name that the templates use. */
function namesOf({ plural, singular, prefix, timestamp }) {
  return {
    file: singular,
    files: plural,
    word: singular.replaceAll('-', ' '),
    words: plural.replaceAll('-', ' '),
    Words: capitalized(plural.replaceAll('-', ' ')),
    one: camel(singular),
    One: pascal(singular),
    many: camel(plural),
    Many: pascal(plural),
    kind: singular.replaceAll('-', '_'),
    table: plural.replaceAll('-', '_'),
    CONSTANT: plural.replaceAll('-', '_').toUpperCase(),
    Migration: `${pascal(plural)}${timestamp}`,
    timestamp,
    prefix,
  };
}

/** The new files, each with the template that it is made from. */
const filesOf = ({ file, files, timestamp }) => [
  [`src/modules/${files}/${file}.entity.ts`, 'entity'],
  [`src/modules/${files}/${file}.view.ts`, 'view'],
  [`src/modules/${files}/${file}.list.ts`, 'list'],
  [`src/modules/${files}/${file}.dto.ts`, 'dto'],
  [`src/modules/${files}/${file}.containment.ts`, 'containment'],
  [`src/modules/${files}/${files}.repository.ts`, 'repository'],
  [`src/modules/${files}/${files}.service.ts`, 'service'],
  [`src/modules/${files}/${files}.controller.ts`, 'controller'],
  [`src/modules/${files}/${files}.module.ts`, 'module'],
  [`src/access/permissions/${files}.ts`, 'permissions'],
  [`src/migrations/${timestamp}-${files}.ts`, 'migration'],
  [`test/access/routes/${files}.ts`, 'routes'],
  [`test/areas/${files}.spec.ts`, 'spec'],
];

/** The lines that register the feature: the file, what the line is put before (or `after`), and the line. */
const registrations = (n) => [
  ['src/common/kinds.ts', '} as const;', `  ${n.kind}: '${n.prefix}',\n`],
  ['src/common/event-types.ts', '} as const;', `  ${n.kind}: 'created updated deleted',\n`],
  [
    'src/modules/webhooks/event-data.schema.ts',
    'import { webhookView }',
    `import { ${n.one}View } from '../${n.files}/${n.file}.view.js';\n`,
  ],
  ['src/modules/webhooks/event-data.schema.ts', '  webhook: {', `  ${n.kind}: { view: ${n.one}View },\n`],
  ['src/common/reasons.ts', `  'too_many_webhooks',`, `  'too_many_${n.table}',\n`],
  ['src/entities.ts', 'end', `export { ${n.One} } from './modules/${n.files}/${n.file}.entity.js';\n`],
  ['src/migrations/index.ts', 'end', `export { ${n.Migration} } from './${n.timestamp}-${n.files}.js';\n`],
  [
    'src/app.module.ts',
    `import { ConfigModule }`,
    `import { ${n.Many}Module } from './modules/${n.files}/${n.files}.module.js';\n`,
  ],
  ['src/app.module.ts', '        BatchModule,', `        ${n.Many}Module,\n`],
  [
    'src/access/permissions/permissions.ts',
    'import type { Permission }',
    `import { ${n.CONSTANT}_PERMISSIONS } from './${n.files}.js';\n`,
  ],
  ['src/access/permissions/permissions.ts', '} satisfies', `  ...${n.CONSTANT}_PERMISSIONS,\n`],
  ['src/platform/containment/containment.ts', `  'comments',`, `  '${n.table}',\n`],
  ['src/platform/http/openapi/documents.ts', `  Comments: '`, `  ${tagOf(n)}: '${n.Words} of endeavours',\n`],
  ['.dependency-cruiser.cjs', `  'activity',`, `  '${n.files}',\n`],
  [
    'src/modules/privacy/my-data.view.ts',
    'import { userView }',
    `import { ${n.one}View } from '../${n.files}/${n.file}.view.js';\n`,
  ],
  [
    'src/modules/privacy/my-data.view.ts',
    '  dod_policies: {',
    `  ${n.table}: { view: ${n.one}View, where: \`own.created_by = \${MINE}\` },\n`,
  ],
  // The texts that are personal, then those that can be redacted.
  ...[`'conditions', 'metadata'`, `'metadata'`].map((others) => [
    'test/architecture/text-traits.spec.ts',
    `      view: ['name', 'query'],\n      dod_policy: ['name', 'description', ${others}]`,
    `      ${n.kind}: ['name'],\n`,
  ]),
  ['test/access/routes/all.ts', `import { AUTH }`, `import { ${n.CONSTANT} } from './${n.files}.js';\n`],
  ['test/access/routes/all.ts', '  ...BATCH,', `  ...${n.CONSTANT},\n`],
  [
    'test/access/expected-rights.ts',
    '};',
    `  ${n.table}_list: ['signed in', '*:read'],\n` +
      ['create', 'update', 'delete'].map((verb) => `  ${n.table}_${verb}: ['member', '*'],\n`).join('') +
      `  ${n.table}_get: ['viewer', '*:read'],\n`,
  ],
  [
    'test/access/references/id-field-requests.ts',
    `  'artifacts_create endeavour_id'`,
    `  '${n.table}_create endeavour_id': (_, id) => post('/${n.files}', { name: 'First', endeavour_id: id }),\n`,
  ],
  [
    'test/access/references/entity-fixtures.ts',
    `      artifact: await make(`,
    `      ${n.kind}: await make('/${n.files}', { name: 'First', endeavour_id: endeavour }),\n`,
  ],
  ['test/faults/support/invariants.mjs', '};', `  ${n.kind}: '${n.table}',\n`],
  ['test/faults/support/invariants.mjs', "  'webhook',\n];", `  '${n.kind}',\n`],
  [
    'test/architecture/interface.spec.ts',
    `  'POST /batch',`,
    ['GET', 'POST'].map((method) => `  '${method} /${n.files}',\n`).join('') +
      ['GET', 'PATCH', 'DELETE'].map((method) => `  '${method} /${n.files}/{id}',\n`).join(''),
  ],
];

/** The lines of the published operation ids. */
const publishedIds = ({ table, files }) => [
  ...['list GET', 'create POST'].map((verb) => `${table}_${verb} /api/v1/${files}`),
  ...['get GET', 'update PATCH', 'delete DELETE'].map((verb) => `${table}_${verb} /api/v1/${files}/{id}`),
];

const tagOf = ({ Words }) => (Words.includes(' ') ? `'${Words}'` : Words);

function readName() {
  if (isHelp(process.argv.slice(2))) exitWithUsage(USAGE);
  const { positionals, values } = parsed();
  const [plural] = positionals;
  if (positionals.length !== 1) exitWithUsage(USAGE, 'One plural name is required.');
  if (!/^[a-z]+(-[a-z]+)*s$/.test(plural)) {
    exitWithUsage(USAGE, `"${plural}" is not a plural of lower-case words with hyphens.`);
  }
  const singular = values.singular ?? plural.slice(0, -1);
  if (!/^[a-z]+(-[a-z]+)*$/.test(singular)) exitWithUsage(USAGE, `"${singular}" is not a name.`);
  const prefix = values.prefix ?? singular.slice(0, 3);
  if (!/^[a-z]{3}$/.test(prefix)) exitWithUsage(USAGE, `"${prefix}" is not a prefix of three letters.`);
  const kinds = readFileSync(join(root, 'src/common/kinds.ts'), 'utf8');
  if (kinds.includes(`'${prefix}'`)) {
    exitWithUsage(USAGE, `The prefix ${prefix} is taken; choose another one with --prefix.`);
  }
  if (existsSync(join(root, 'src/modules', plural))) exitWithUsage(USAGE, `src/modules/${plural} exists already.`);
  return { plural, singular, prefix };
}

function parsed() {
  try {
    const options = { singular: { type: 'string' }, prefix: { type: 'string' } };
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return exitWithUsage(USAGE, error.message.split('. ')[0]);
  }
}

function fail(message) {
  process.stderr.write(`${message} Nothing was written.\n`);
  process.exit(1);
}

function rendered(template, names) {
  const text = readFileSync(join(templates, `${template}.ts.txt`), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => names[name]);
}

/** Inserts the line into the text of the file, which is read at its first registration. */
function register(texts, file, before, line) {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  const at = before === 'end' ? text.length : text.indexOf(`\n${before}`) + 1;
  if (at === 0) fail(`${file} has no line that begins with ${before}; change scripts/new-feature.mjs.`);
  texts.set(file, text.slice(0, at) + line + text.slice(at));
}

/** Adds the prefix to those of the ids that become null in a document that leaves their container. */
function replaceIdsOf({ prefix }, texts) {
  const file = 'src/platform/containment/containment.database.ts';
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes(')_[0-9a-f]{32})"')) fail(`${file} has no list of prefixes; change scripts/new-feature.mjs.`);
  texts.set(file, text.replace(')_[0-9a-f]{32})"', `|${prefix})_[0-9a-f]{32})"`));
}

const names = namesOf({ ...readName(), timestamp: nextTimestamp(root) });
await ensureInstalled({ everything: true });
const texts = new Map(filesOf(names).map(([path, template]) => [path, rendered(template, names)]));
for (const [file, before, line] of registrations(names)) register(texts, file, before, line);
replaceIdsOf(names, texts);
const written = await formatted(root, texts);
const published = 'test/architecture/operation-ids.txt';
const ids = [...readFileSync(join(root, published), 'utf8').trim().split('\n'), ...publishedIds(names)];
written.set(published, `${ids.sort().join('\n')}\n`);
writeAll(root, written);
const migration = spawnSync(process.execPath, ['scripts/new-migration.mjs', `ids-of-${names.files}`], {
  cwd: root,
  stdio: 'inherit',
});
if (migration.status !== 0) process.stderr.write(`Run: npm run new:migration -- ids-of-${names.files}\n`);

process.stdout.write(`
Next:
1. Say in ${names.file}.entity.ts what ${names.words} are, and change the columns: entity, migration, view, DTO, test.
   Imports of exports name ${names.words} as not imported; modules/imports/documents is where to read them.
2. npm test -- test/architecture/operations.spec.ts -u     (adds the five operations to the list of all operations)
3. npm test -- test/areas/${names.files}.spec.ts test/architecture
4. npm test -- test/access test/faults                  (a few minutes)
5. npm run check, and a line in CHANGELOG.md.
`);
