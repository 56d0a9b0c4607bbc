/** Finds names that several source files export, because readers and editors cannot tell them apart. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECLARATION = /^export (?:abstract |async )?(?:class|function|const|interface|type|enum) (\w+)/gm;

/** Returns a sentence for each name that more than one file declares and exports. */
export function duplicateExports(root) {
  const places = new Map();
  for (const path of readdirSync(join(root, 'src'), { recursive: true })) {
    if (!path.endsWith('.ts') || path.endsWith('.spec.ts')) continue;
    const text = readFileSync(join(root, 'src', path), 'utf8');
    // A type and a value with the same name in one file count as one.
    for (const name of new Set([...text.matchAll(DECLARATION)].map((match) => match[1]))) {
      places.set(name, [...(places.get(name) ?? []), `src/${path.replaceAll('\\', '/')}`]);
    }
  }
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name} is exported by ${files.join(' and ')}; give each a name of its own`);
}
