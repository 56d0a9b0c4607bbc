/**
 * Imported before swc is: swc unpacks its native code into a folder of 30 MB, by default below the system's temporary
 * folder, where it would stay. swc rejects a path with a symbolic link, as copies of the project have.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
// A fresh clone has none yet.
const folder = existsSync(modules) ? realpathSync(modules) : modules;
process.env.SWC_NATIVE_BINDING_CACHE ??= join(folder, '.cache');
