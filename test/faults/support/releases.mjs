import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextTimestamp } from '../../../scripts/next-migration.mjs';
import { ROOT, temporaryFolder } from './programs.mjs';

/** What a release needs to be built and run. */
const PARTS = ['src', 'explorer', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', '.swcrc'];
/** Tables to which the next release adds a column, each in its own migration. */
const WIDENED = ['tasks', 'entities', 'users', 'endeavours', 'sessions'];

/**
 * Builds the release before the last migration, and the next one. The old release is the commit before the newest
 * migration of this tree. Where git or that commit is missing, it is this tree. The next release is this tree with further
 * migrations that add columns to the busiest tables, and a contract that removes one again. So there are always two
 * schemas and a contract, and with the history the real last migration is among them.
 */
export function buildReleases(say) {
  const commit = commitBefore('src/migrations/[0-9]*.ts');
  if (commit === undefined) {
    process.stderr.write(
      'NOT RUN  the last migration beside the release before it: this copy of the repository lacks its history\n',
    );
  }
  const old = temporaryFolder('old-release');
  if (commit === undefined) copyTree(old);
  else extract(commit, old);
  build(old);
  const next = temporaryFolder('next-release');
  copyTree(next);
  addMigrations(next);
  build(next);
  say(`from ${commit ?? 'this tree'} to this tree with ${WIDENED.length + 1} further migrations`);
  return { old, next };
}

/** The commit before the last one that added a file with this path; undefined in a copy or a clone without its history. */
export function commitBefore(path) {
  try {
    return git('rev-parse', `${git('log', '-1', '--format=%H', '--diff-filter=A', '--', path)}^`);
  } catch {
    return undefined;
  }
}

function hasCommit(object) {
  try {
    git('cat-file', '-e', object);
    return true;
  } catch {
    return false;
  }
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();

/** A folder with the sources of that commit, which run with the packages of this tree; undefined where git lacks it. */
export function sourcesOf(commit) {
  if (!hasCommit(`${commit}^{commit}`)) return undefined;
  const folder = temporaryFolder('release');
  extract(commit, folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function extract(commit, folder) {
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "${folder}"`], { cwd: ROOT });
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
