import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'test', 'scripts', 'bench', 'examples', 'explorer'];
/** File names in examples and placeholders, such as `x.view.ts`. */
const EXAMPLES = /^xs?\.|(?:^|\/)gadgets?\./;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const pages = [
  ...filesIn('docs').filter((name) => name.endsWith('.md')),
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
];
const files = [...readdirSync('.'), ...FOLDERS.flatMap(filesIn)];

describe('the documentation', () => {
  it('names only files that exist', () => {
    const missing = pages.flatMap((page) => {
      const named = readFileSync(page, 'utf8').matchAll(/`(\w[\w./-]*\.(?:ts|mts|mjs))`/g);
      return [...named]
        .map(([, name]) => name)
        .filter((name) => !EXAMPLES.test(name))
        .filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
