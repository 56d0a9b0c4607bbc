import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

describe('npm run new:feature and new:migration', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worksmith-feature-'));
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    for (const path of list.split('\0').filter((name) => name !== '' && existsSync(name))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(path, join(folder, path));
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program of the copy as a contributor does. If it fails, its output is in the error. */
  function run(...words: string[]): string {
    const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|JEST_)/.test(name));
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      env: Object.fromEntries(own),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${words.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  }

  it('create a feature that passes the checks and its tests', () => {
    run('scripts/new-feature.mjs', 'expense-reports', '--singular', 'expense-report', '--prefix', 'xpr');
    expect(run('scripts/check.mjs')).not.toContain('FAILED');
    const jest = ['--max-old-space-size=4096', 'node_modules/jest/bin/jest.js', '--ci=false'];
    run(
      ...jest,
      'test/areas/expense-reports.spec.ts',
      'test/architecture/(interface|schema|document|operation-ids)',
      'test/faults/invariants',
    );
  });

  it('reject a prefix that is taken', () => {
    expect(() => run('scripts/new-feature.mjs', 'talks', '--prefix', 'tsk')).toThrow('The prefix tsk is taken');
  });

  it('create the migration that a changed entity or declaration needs, and reject one that would be empty', () => {
    const make = (name: string) => run('scripts/new-migration.mjs', name);
    const entity = join(folder, 'src/modules/artifacts/artifact.entity.ts');
    const text = readFileSync(entity, 'utf8');
    writeFileSync(
      entity,
      text.replace(
        '  title: string;',
        "  title: string;\n\n  @Column('text', { nullable: true })\n  license: string | null;",
      ),
    );
    const [file] = /^src\/migrations\/\d+-artifact-license\.ts/m.exec(make('artifact-license')) ?? [];
    const migration = readFileSync(join(folder, file ?? ''), 'utf8');
    expect(migration).toContain('`ALTER TABLE artifacts ADD license text`');
    expect(migration).toContain('`ALTER TABLE artifacts DROP COLUMN license`');
    const declaration = join(folder, 'src/modules/endeavours/endeavour.database.ts');
    const declared = readFileSync(declaration, 'utf8');
    writeFileSync(
      declaration,
      declared.replace('NEW.erasure_at := NULL;', `NEW.erasure_at := NULL; RAISE NOTICE '%', '"kept"';`),
    );
    const [other] = /^src\/migrations\/\d+-kept\.ts/m.exec(make('kept')) ?? [];
    const changed = readFileSync(join(folder, other ?? ''), 'utf8');
    expect(changed).toContain('CREATE OR REPLACE FUNCTION stop_erasure()');
    expect(changed).toContain(`RAISE NOTICE '%', '"kept"';`);
    expect(changed).toContain("phase = 'expand'");
    expect(() => make('nothing')).toThrow('Change an entity or a declaration first.');
  });
});
