import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { registerCleanup } from './opened.mjs';

const READY_MS = 120_000;
const OUTPUT_KEPT = 100_000;

/**
 * What an engine does before it starts a process: a root that cannot be written, a folder for temporary files, 64 MiB of shared
 * memory, the volume, and a user without rights. The first process of a namespace of its own has the number 1.
 */
const SCRIPT = `set -e
root=$1 volume=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount -t tmpfs -o size=1g,mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/dev/shm"
[ -z "$volume" ] || mount --bind "$volume" "$root/data"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \\
  chroot --userspec="$user:$user" "$root" /usr/bin/env -i "$@"
`;

/** A process with the files, the user, the variables and the command of an image, in namespaces of its own. */
export class Container {
  output = '';
  #image;
  #process;
  #ended;

  /** Runs the command of the image or another; `volume` is the folder that it sees as /data. */
  constructor(image, { environment = {}, volume = '', command = image.config.Cmd } = {}) {
    this.#image = image;
    this.port = environment.PORT;
    this.words = this.#wordsFor(environment);
    const isolation = ['--mount', '--pid', '--fork', '--kill-child=KILL', '--propagation=private'];
    const given = [image.files, volume, image.config.User, ...this.words, ...command];
    this.#process = spawn('unshare', [...isolation, 'sh', '-c', SCRIPT, 'sh', ...given], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output = (this.output + text).slice(-OUTPUT_KEPT)));
    }
    this.#ended = once(this.#process, 'close').then(([code, signal]) => signal ?? code);
    this.close = registerCleanup(async () => {
      this.#process.kill('SIGKILL');
      await this.#ended;
    });
  }

  #wordsFor(environment) {
    const { Env, WorkingDir } = this.#image.config;
    return [`--chdir=${WorkingDir}`, ...Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  }

  /** The exit code of the process. */
  async exit() {
    const code = await this.#ended;
    await this.close();
    return code;
  }

  /** Waits until the service is ready; returns the milliseconds that this took. */
  async ready() {
    const begun = performance.now();
    for (; performance.now() - begun < READY_MS; await pause(20)) {
      if (this.#process.exitCode !== null) throw new Error(`the container ended:\n${this.output}`);
      const response = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
      if (response?.status === 200) return Math.round(performance.now() - begun);
    }
    throw new Error(`the container did not become ready:\n${this.output}`);
  }

  /** Asks the first process of the container to end; returns the exit code and the milliseconds. */
  async stop() {
    const begun = performance.now();
    process.kill(this.#first, 'SIGTERM');
    const code = await this.exit();
    return { code, ms: Math.round(performance.now() - begun) };
  }

  /** The exit code of another command in the container, as its user. */
  run(...command) {
    const inside = ['--target', String(this.#first), '--mount', '--pid', '--'];
    const asUser = ['chroot', `--userspec=${this.#image.config.User}`, this.#image.files, '/usr/bin/env', '-i'];
    return spawnSync('nsenter', [...inside, ...asUser, ...this.words, ...command], { encoding: 'utf8' }).status;
  }

  /** The user and the capabilities in effect of the first process. */
  get rights() {
    const status = readFileSync(`/proc/${this.#first}/status`, 'utf8');
    const line = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)[1];
    return { user: Number(line('Uid')), capabilities: BigInt(`0x${line('CapEff')}`), privileges: line('NoNewPrivs') };
  }

  /** The number by which this machine knows the first process. */
  get #first() {
    const file = `/proc/${this.#process.pid}/task/${this.#process.pid}/children`;
    const [pid] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
    if (!pid) throw new Error(`the container has ended:\n${this.output}`);
    return Number(pid);
  }
}
