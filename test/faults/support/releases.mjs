import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextTimestamp } from '../../../scripts/next-migration.mjs';
import { ROOT, temporaryFolder } from './programs.mjs';

/** What a release needs to be built and run. */
const PARTS = ['src', 'explorer', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', '.swcrc'];
/** A release without this file does not know heartbeats, and refuses the schema of a newer one. */
const HEARTBEATS = 'src/platform/replicas/replica.ts';
/** Tables to which the next release adds a column, each in its own migration. */
const WIDENED = ['tasks', 'entities', 'users', 'endeavours', 'sessions'];

/**
 * Builds the release before the last migration, and the next one. The old release is the commit before the newest
 * migration of this tree. Where git or that commit is missing, or the commit is older than rolling upgrades, it is this
 * tree. The next release is this tree with further migrations that add columns to the busiest tables, and a contract
 * that removes one again. So there are always two schemas and a contract, and the real last migration is among them as
 * soon as the release before it can take part.
 */
export function buildReleases(say) {
  const commit = commitBeforeLastMigration();
  const old = temporaryFolder('old-release');
  if (commit === undefined) copyTree(old);
  else execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "${old}"`], { cwd: ROOT });
  build(old);
  const next = temporaryFolder('next-release');
  copyTree(next);
  addMigrations(next);
  build(next);
  say(`from ${commit ?? 'this tree'} to this tree with ${WIDENED.length + 1} further migrations`);
  return { old, next };
}

function commitBeforeLastMigration() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
    const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'src/migrations/[0-9]*.ts');
    const before = git('rev-parse', `${added}^`);
    git('cat-file', '-e', `${before}:${HEARTBEATS}`);
    return before;
  } catch {
    return undefined;
  }
}

function copyTree(folder) {
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
}

function build(folder) {
  if (!existsSync(join(folder, 'node_modules'))) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const program = `await (await import('./scripts/build.mjs')).ensureBuilt();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, stdio: 'pipe' });
}

/** The schema of the next release: more columns, one of which a contract removes again. */
function addMigrations(folder) {
  const first = nextTimestamp(folder);
  const [removed] = WIDENED;
  const changes = WIDENED.map((table) => ['expand', `ALTER TABLE ${table} ADD COLUMN next_release text DEFAULT 'new'`]);
  changes.push(['contract', `ALTER TABLE ${removed} DROP COLUMN next_release`]);
  for (const [index, [phase, statement]] of changes.entries()) {
    const name = `Next${index}x${first + index}`;
    const file = `${first + index}-next-${index}`;
    writeFileSync(
      join(folder, 'src/migrations', `${file}.ts`),
      `import type { MigrationInterface, QueryRunner } from 'typeorm';
export class ${name} implements MigrationInterface {
  static readonly phase = '${phase}';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(\`${statement}\`);
  }
  async down(): Promise<void> {}
}
`,
    );
    appendFileSync(join(folder, 'src/migrations/index.ts'), `export { ${name} } from './${file}.js';\n`);
  }
}
