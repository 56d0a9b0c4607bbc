/** Installs the packages of package-lock.json; fast and silent if they are installed already. Needs only Node. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
/** npm writes this one last, so it exists only after a finished installation. */
const installedFile = join(modules, '.package-lock.json');
const EVERY_MS = 5_000;

/**
 * Two extents: the packages for running and building, and all packages, for testing and checks. An installation is
 * extended, never reduced.
 */
const RUN = {
  stampFile: join(modules, '.install-stamp-run'),
  isWanted: ({ dev, devOptional }) => !dev && !devOptional,
};
const ALL = { stampFile: join(modules, '.install-stamp'), isWanted: () => true };

/**
 * Identifies the wanted packages and the installation that they were compared with; any change by npm invalidates it.
 */
function stamp() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${wanted} ${statSync(installedFile).mtimeMs}\n`;
}

function isStamped({ stampFile }) {
  return existsSync(installedFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp();
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

const wantedPackages = ({ isWanted }) =>
  Object.entries(packagesOf(lockFile)).filter(([path, entry]) => path !== '' && isWanted(entry));

/** Whether every package is installed in its version; only packages for other platforms may be missing. */
function isInstalled(extent) {
  if (!existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return wantedPackages(extent).every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version && existsSync(join(root, path)) : optional === true,
  );
}

/** The npm that started this process, else the one next to this Node, else the one in PATH. */
function npm() {
  const besideNode = ['../lib/node_modules/npm/bin/npm-cli.js', 'node_modules/npm/bin/npm-cli.js'].map((path) =>
    join(dirname(process.execPath), path),
  );
  const script = [process.env.npm_execpath ?? '', ...besideNode].find(
    (path) => path.endsWith('npm-cli.js') && existsSync(path),
  );
  return script ? { command: process.execPath, leading: [script] } : { command: 'npm', leading: [] };
}

async function install(extent) {
  const isMore = extent === ALL && isInstalled(RUN);
  const total = wantedPackages(extent).filter(([, { optional }]) => !optional).length;
  process.stdout.write(
    `Installing ${isMore ? 'what tests and checks need' : `${total} packages`} (package-lock.json).\n`,
  );
  rmSync(extent.stampFile, { force: true });
  // Overrides NODE_ENV. Installed packages stay, because a running service may use them.
  const how = isMore ? ['install', '--no-save'] : ['ci'];
  const what = ['--include=optional', extent === ALL ? '--include=dev' : '--omit=dev'];
  const { status, said } = await runNpm([...how, ...what, '--no-audit', '--no-fund', '--loglevel=http'], total);
  if (status === 0) return;
  process.stderr.write(`${said}\nThe installation failed; see above. Nothing was started.\n`);
  process.exit(1);
}

/** npm logs each answer of the registry, two per package; its other output is shown if it fails. */
function runNpm(args, total) {
  const { command, leading } = npm();
  const child = spawn(command, [...leading, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  const progress = showProgress(total);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      const lines = text.split('\n');
      progress.add(lines.filter((line) => /^npm http (fetch|cache) /.test(line)).length);
      said += lines.filter((line) => line !== '' && !line.startsWith('npm http')).join('\n');
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: 1, said: error.message }));
    child.once('close', (status) => {
      progress.end();
      resolve({ status, said });
    });
  });
}

/** Updates one line on a terminal, otherwise prints a line every few seconds. */
function showProgress(total) {
  const begun = Date.now();
  let fetched = 0;
  const write = () => {
    const text = `  ${Math.min(Math.floor(fetched / 2), total)} of ${total} packages, ${Math.round((Date.now() - begun) / 1000)} s`;
    process.stdout.write(process.stdout.isTTY ? `\r${text}` : `${text}\n`);
  };
  const timer = setInterval(write, process.stdout.isTTY ? 200 : EVERY_MS);
  return {
    add: (count) => {
      fetched += count;
    },
    end: () => {
      clearInterval(timer);
      process.stdout.write(
        `${process.stdout.isTTY ? '\r' : ''}Installed in ${((Date.now() - begun) / 1000).toFixed(1)} s.\n`,
      );
    },
  };
}

/** Removes what running never reads: development-only packages and source maps, a fifth of the total. */
function trim() {
  const lock = JSON.parse(readFileSync(installedFile, 'utf8'));
  for (const [path, { devOptional }] of Object.entries(lock.packages)) {
    if (!devOptional) continue;
    rmSync(join(root, path), { recursive: true, force: true });
    delete lock.packages[path];
  }
  for (const file of readdirSync(modules, { recursive: true })) {
    if (/\.(js|mjs|cjs|ts|mts|cts)\.map$/.test(file)) rmSync(join(modules, file), { force: true });
  }
  // npm trusts this list only if it is newer than the folders.
  writeFileSync(installedFile, `${JSON.stringify(lock, undefined, 2)}\n`);
}

function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [wanted, here] = [engines.node, process.versions.node].map((text) => text.match(/\d+/g).map(Number));
  if (here[0] > wanted[0] || (here[0] === wanted[0] && here[1] >= wanted[1])) return;
  process.stderr.write(`Node ${engines.node.slice(2)} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/** Installs the missing packages for running, or all missing packages. */
export async function ensureInstalled({ everything = false } = {}) {
  requireNode();
  const extent = everything ? ALL : RUN;
  if (isStamped(extent) || (extent === RUN && isStamped(ALL))) return;
  if (!isInstalled(extent)) {
    await install(extent);
    if (extent === RUN) trim();
  }
  writeFileSync(extent.stampFile, stamp());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureInstalled({ everything: true });
