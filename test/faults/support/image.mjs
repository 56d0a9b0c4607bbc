import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerCleanup } from './opened.mjs';
import { ROOT, temporaryFolder } from './programs.mjs';

const execute = promisify(execFile);
const OUTPUT = { maxBuffer: 64 * 2 ** 20 };
const DEBIAN = 'bookworm';
const IMAGE = 'localhost/worksmith';
/** The packages with the programs that build an image without an engine. */
const PACKAGES = { buildah: 'buildah', mmdebstrap: 'mmdebstrap', unshare: 'util-linux' };

/** Stands in for node:<release>-bookworm-slim: the same Debian, Node and user, without its other contents. */
const BASE = `FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && echo 'node:x:1000:1000::/home/node:/bin/sh' >>/etc/passwd && echo 'node:x:1000:' >>/etc/group \\
 && mkdir -p /home/node && chown 1000:1000 /home/node
`;
/** npm has what it installs already, and no network. */
const NPMRC = 'offline=true\ncache=/npm-cache\nupdate-notifier=false\n';

async function run(program, words, options = {}) {
  try {
    return (await execute(program, words, { ...OUTPUT, ...options })).stdout;
  } catch (error) {
    throw new Error(`${program} ${words.join(' ')} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/** Installs what is missing where root can, else throws an error that names it. */
async function ensurePrograms(say) {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    throw new Error('The image is built without an engine, which only root can do, on Linux.');
  }
  const isMissing = ([program]) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined;
  const missing = Object.entries(PACKAGES)
    .filter(isMissing)
    .map(([, name]) => name);
  if (missing.length === 0) return;
  if (spawnSync('apt-get', ['--version']).error) throw new Error(`These programs are missing: ${missing.join(', ')}.`);
  say(`installing ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...missing], { env });
}

/**
 * Builds the Dockerfile of the project without a container engine and without a network: by buildah, with its chroot isolation,
 * on a base of the Debian and the Node that the Dockerfile names.
 */
export class ImageBuilder {
  #baseBytes = 0;
  #folder = temporaryFolder('image');
  #env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };

  static async prepare(say) {
    await ensurePrograms(say);
    const builder = new ImageBuilder();
    registerCleanup(() => builder.#buildah('rm', '--all').then(() => builder.#buildah('rmi', '--all', '--force')));
    await builder.#makeBase(say);
    await builder.#fillCache(say);
    return builder;
  }

  async #makeBase(say) {
    const [, base, release] = /^FROM (node:(\d+)\S*)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
    say(`making a base of Debian ${DEBIAN} with Node ${release}`);
    const context = join(this.#folder, 'base');
    mkdirSync(context);
    await run('mmdebstrap', ['--quiet', '--variant=apt', DEBIAN, join(context, 'base.tar')]);
    const fetched = join(this.#folder, 'node');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', fetched, `node@${release}`]);
    cpSync(join(fetched, 'node_modules/node/bin/node'), join(context, 'node'));
    const npm = join((await run('npm', ['root', '--global'])).trim(), 'npm');
    cpSync(npm, join(context, 'npm'), { recursive: true, dereference: true });
    writeFileSync(join(context, 'Dockerfile'), BASE);
    await this.#buildah('bud', '--quiet', '--tag', `docker.io/library/${base}`, context);
    this.#baseBytes = await bytesIn(await this.#filesOf(`docker.io/library/${base}`));
  }

  /** Fetches what npm installs, so that building needs no network. */
  async #fillCache(say) {
    say('fetching the packages');
    const folder = join(this.#folder, 'fetched');
    mkdirSync(folder);
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, name), join(folder, name));
    const cache = join(this.#folder, 'cache');
    const words = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', [...words, '--cache', cache], { cwd: folder });
    writeFileSync(join(this.#folder, 'npmrc'), NPMRC);
  }

  /** Builds the image, and returns a copy of its files with what it says about running it. */
  async build() {
    const cache = join(this.#folder, 'npm-cache');
    // The Dockerfile empties the cache.
    await run('rm', ['-rf', cache]);
    await run('cp', ['-r', join(this.#folder, 'cache'), cache]);
    const mounts = ['-v', `${cache}:/npm-cache`, '-v', `${join(this.#folder, 'npmrc')}:/usr/local/etc/npmrc:ro`];
    const words = ['bud', '--quiet', '--format', 'docker', '--pull-never', '--network', 'host', ...mounts];
    await this.#buildah(
      ...words,
      '--build-arg',
      `COMMIT=${(await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT })).trim()}`,
      '--tag',
      IMAGE,
      '--file',
      join(ROOT, 'Dockerfile'),
      ROOT,
    );
    const { Docker } = JSON.parse(await this.#buildah('inspect', '--type', 'image', IMAGE));
    const files = await this.#filesOf(IMAGE);
    return { config: Docker.config, files, bytes: (await bytesIn(files)) - this.#baseBytes };
  }

  /** The folder with the files of a container that is made of an image. */
  async #filesOf(image) {
    const container = (await this.#buildah('from', '--pull-never', image)).trim();
    return (await this.#buildah('mount', container)).trim();
  }

  /** Without a network, not even that of this machine. */
  #buildah(...words) {
    const store = ['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')];
    return run('unshare', ['--net', 'buildah', ...store, ...words], { env: this.#env });
  }
}

const bytesIn = async (folder) => Number((await run('du', ['-sb', folder])).split('\t')[0]);

/** Identifies names, rights and contents of the files below a folder of the image. */
export async function fingerprintOf(folder) {
  const script = `find . -printf '%y %m %U:%G %l %p\\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum`;
  return createHash('sha256')
    .update(await run('sh', ['-c', script], { cwd: folder }))
    .digest('hex');
}
