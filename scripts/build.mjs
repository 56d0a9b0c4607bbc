/** Whether what lies in dist/ was made from the sources as they are, and the making of it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'dist', 'main.js');
/** Inside dist, which a build empties first: a failed build leaves no stamp. */
const stampFile = join(root, 'dist', '.build-stamp');
const ingredients = ['src', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'package-lock.json'];

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ingredients.flatMap((name) => filesIn(join(root, name)))) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Whether dist/ holds these very sources. */
export function isBuilt(sources = fingerprint()) {
  return existsSync(main) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources;
}

/** Builds where that is needed; ends the process where it cannot be done. */
export function ensureBuilt() {
  const sources = fingerprint();
  if (!isBuilt(sources)) build(sources);
}

function build(sources) {
  process.stdout.write(existsSync(main) ? 'The sources have changed; building.\n' : 'Building.\n');
  const begun = Date.now();
  rmSync(stampFile, { force: true });
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0 || !existsSync(main)) {
    const problem = status === 0 ? 'The build made no dist/main.js.' : 'The build failed; see above.';
    process.stderr.write(`${problem} Nothing was started.\n`);
    process.exit(1);
  }
  writeFileSync(stampFile, sources);
  process.stdout.write(`Built in ${((Date.now() - begun) / 1000).toFixed(1)} s.\n`);
}
