/**
 * Joins the modules of dist/ to few files, from which the programs start: node resolves, reads and keeps a record of
 * every file that it loads. The modules stay beside them, for child processes and for programs that use single ones.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAMS = ['admin', 'backup', 'demo', 'doctor', 'main', 'migrate', 'restore', 'worker'];
const OWN_URL = 'import.meta.url';

/** Bundles the programs at the top of `dist`; each of these files then only imports its bundle. */
export async function bundle(dist = join(root, 'dist')) {
  const { rolldown } = await import('rolldown');
  const folder = join(dist, 'bundle');
  const build = await rolldown({
    cwd: dist,
    input: Object.fromEntries(PROGRAMS.map((name) => [name, join(dist, `${name}.js`)])),
    platform: 'node',
    external: /^[^./]/,
    // Modules register what they declare while they are loaded.
    treeshake: false,
    plugins: [modulePlaces(folder)],
  });
  try {
    await build.write({
      dir: folder,
      chunkFileNames: '[name]-[hash].js',
      comments: false,
      // Names of classes reach the OpenAPI document and the log.
      keepNames: true,
      sourcemap: true,
    });
  } finally {
    await build.close();
  }
  for (const name of PROGRAMS) writeFileSync(join(dist, `${name}.js`), `import './bundle/${name}.js';\n`);
}

/** Lets a module find the files beside it: its URL is that of the module, not of the file that it becomes a part of. */
function modulePlaces(folder) {
  return {
    name: 'module-places',
    transform(code, id) {
      if (!code.includes(OWN_URL)) return null;
      const place = relative(folder, id).split(sep).join('/');
      return { code: code.replaceAll(OWN_URL, `new URL(${JSON.stringify(place)}, import.meta.url).href`), map: null };
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
