/** Makes node_modules what package-lock.json says; silent and quick when it already is. Needs nothing but Node. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
/** npm writes this one last, so it exists only after a finished installation. */
const installedFile = join(modules, '.package-lock.json');
const stampFile = join(modules, '.install-stamp');

/** The wanted packages and the installation they were compared with; any work of npm changes it. */
function stamp() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${wanted} ${statSync(installedFile).mtimeMs}\n`;
}

function isStamped() {
  return existsSync(installedFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp();
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** Whether every package is there in its version; only packages for other platforms may be missing. */
function isInstalled() {
  if (!existsSync(installedFile)) return false;
  const [wanted, installed] = [packagesOf(lockFile), packagesOf(installedFile)];
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === version && existsSync(join(root, path)) : optional === true;
  });
}

/** The npm that started us, else the one beside this Node, else the one on the path. */
function npm() {
  const besideNode = ['../lib/node_modules/npm/bin/npm-cli.js', 'node_modules/npm/bin/npm-cli.js'].map((path) =>
    join(dirname(process.execPath), path),
  );
  const script = [process.env.npm_execpath ?? '', ...besideNode].find(
    (path) => path.endsWith('npm-cli.js') && existsSync(path),
  );
  return script ? { command: process.execPath, leading: [script] } : { command: 'npm', leading: [] };
}

function install() {
  process.stdout.write('Installing the packages of package-lock.json (npm ci); this takes about half a minute.\n');
  rmSync(stampFile, { force: true });
  const { command, leading } = npm();
  // Building and testing need the development packages, whatever NODE_ENV says.
  const wanted = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, [...leading, ...wanted], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`The installation failed${error ? `: ${error.message}` : ''}. Nothing was started.\n`);
  process.exit(1);
}

if (!isStamped()) {
  if (!isInstalled()) install();
  writeFileSync(stampFile, stamp());
}
