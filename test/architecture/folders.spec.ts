import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_FILES = 25;

/** The folders below the path that have more source files of their own than a reader can survey; tests do not count. */
function crowded(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'));
  const inside = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => crowded(join(path, name)));
  return files.length > MAX_FILES ? [`${path} has ${files.length} files`, ...inside] : inside;
}

describe('the folders of the sources', () => {
  it('have at most 25 files each', () => {
    expect(['common', 'platform', 'access', 'modules'].flatMap((layer) => crowded(join('src', layer)))).toEqual([]);
  });
});
