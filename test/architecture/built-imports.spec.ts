import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['bench', 'test', 'scripts', 'examples'];
const IMPORT = /import(?:\s*\{(?<names>[^}]*)\}\s*from\s*|\s*\(?\s*)'(?<path>(?:\.\.?\/)+dist\/[^']+)'/g;

/** The imports from the build in programs outside of `src`, with the source file and the names of each. */
function builtImports(): { program: string; source: string; names: string[] }[] {
  const programs = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ).filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'));
  return programs.flatMap((program) => {
    const text = readFileSync(join(ROOT, program), 'utf8');
    return [...text.matchAll(IMPORT)].map(({ groups: { names = '', path = '' } = {} }) => ({
      program,
      source: resolve(ROOT, dirname(program), path).replace(`${ROOT}/dist/`, 'src/').replace(/\.js$/, '.ts'),
      names: names
        .split(',')
        .map((name) => name.trim().split(' as ')[0])
        .filter(Boolean),
    }));
  });
}

const isExported = (source: string, name: string): boolean =>
  new RegExp(`^export (?:declare |async |abstract )*(?:const|function|class) ${name}\\b`, 'm').test(source) ||
  new RegExp(`^export \\{[^}]*\\b${name}\\b`, 'm').test(source);

describe('programs outside of src', () => {
  const imports = builtImports();

  it('import something from the build', () => {
    expect(imports.length).toBeGreaterThan(10);
  });

  it.each(imports)('$program finds $names in $source', ({ source, names }) => {
    const file = join(ROOT, source);
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(names.filter((name) => !isExported(text, name))).toEqual([]);
  });
});
