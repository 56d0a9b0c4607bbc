/** Builds dist/ if it does not match the sources. */
import './swc-cache.mjs';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'dist', 'main.js');
/** Inside dist, which a build empties first: a failed build leaves no stamp. */
const stampFile = join(root, 'dist', '.build-stamp');
/** The data files that the service reads; nest-cli.json has the same for `npm run build`. */
const DATA = /\.(?:sql|yaml|liquid)$/;
const ingredients = ['src', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'package-lock.json', 'scripts/bundle.mjs'];

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

/** Whether dist/ was built from the current sources. */
export function isBuilt(sources = fingerprint()) {
  return existsSync(main) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources;
}

/** Builds if needed; ends the process if the build fails. */
export async function ensureBuilt() {
  const sources = fingerprint();
  if (!isBuilt(sources)) await build(sources);
}

/** Does what `npm run build` does, without the packages that `nest build` needs. */
async function build(sources) {
  process.stdout.write(existsSync(main) ? 'The sources have changed; building.\n' : 'Building.\n');
  const begun = Date.now();
  rmSync(dirname(main), { recursive: true, force: true });
  try {
    await compileFolder('src', dirname(main));
    const { bundle } = await import('./bundle.mjs');
    await bundle();
  } catch (error) {
    process.stderr.write(`${error.message}\nThe build failed; see above. Nothing was started.\n`);
    process.exit(1);
  }
  writeFileSync(stampFile, sources);
  process.stdout.write(`Built in ${((Date.now() - begun) / 1000).toFixed(1)} s.\n`);
}

/** Compiles the TypeScript files in a folder of the project, without unit tests, into another; copies its data files. */
export async function compileFolder(name, into) {
  const { transformFile } = await import('@swc/core');
  const source = join(root, name);
  const files = filesIn(source);
  const targetOf = (file) => join(into, relative(source, file));
  const sourceFiles = files.filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file));
  await Promise.all(sourceFiles.map((file) => compile(file, targetOf(file).replace(/\.ts$/, '.js'), transformFile)));
  for (const file of files.filter((one) => DATA.test(one))) copy(file, targetOf(file));
}

function copy(file, target) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
}

async function compile(file, target, transformFile) {
  const sourceFileName = relative(dirname(target), file);
  const { code, map } = await transformFile(file, { cwd: root, root, sourceFileName, outputPath: target });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
}
