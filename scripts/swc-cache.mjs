/**
 * Imported before swc is: swc unpacks its native code into a folder of 30 MB, by default below the system's temporary
 * folder, where it would stay.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.env.SWC_NATIVE_BINDING_CACHE ??= join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'node_modules',
  '.cache',
);
