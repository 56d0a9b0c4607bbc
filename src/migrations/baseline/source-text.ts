import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the sources, or that of the build, which contains the same data files. */
const ROOT = new URL('../../', import.meta.url);

/** Reads a data file; `path` is relative to `src`. */
export const sourceText = (path: string): string => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');
