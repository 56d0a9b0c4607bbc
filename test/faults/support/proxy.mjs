import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { opened } from './opened.mjs';
import { startNodeProxy } from './node-proxy.mjs';
import { freePort, plainEnvironment, ROOT } from './programs.mjs';

const CONFIGURATION = join(ROOT, 'deploy', 'haproxy.cfg');
const PLACES = 3;
const PATIENCE_MS = 30_000;

const isInstalled = () => spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;

/**
 * A proxy before the replicas at those ports: haproxy with the very configuration of deploy/ where it is installed, else
 * our own. Answers with its name, the address to ask, and how to close it.
 */
export async function startProxy(ports) {
  if (!isInstalled()) return startNodeProxy(ports);
  const proxy = await startHaproxy(ports.map((port) => `127.0.0.1:${port}`));
  await proxy.answers();
  return proxy;
}

/**
 * haproxy as deploy/ configures it, before replicas at those places, which may be names that a name server knows;
 * undefined where it is not installed. `answers` waits until it has found a replica.
 */
export async function startHaproxy(replicas, nameServer = '127.0.0.1:1') {
  if (!isInstalled()) return undefined;
  if (replicas.length > PLACES) throw new Error(`deploy/haproxy.cfg has room for ${PLACES} replicas`);
  const nowhere = `127.0.0.1:${await freePort()}`;
  const places = Array.from({ length: PLACES }, (_, n) => [`REPLICA_${n + 1}`, replicas[n] ?? nowhere]);
  const port = await freePort();
  const environment = { PROXY_BIND: `127.0.0.1:${port}`, NAME_SERVER: nameServer, ...Object.fromEntries(places) };
  const env = { ...plainEnvironment(), ...environment };
  const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000);
    });
  }
  const gone = once(child, 'close');
  const close = opened(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const base = `http://127.0.0.1:${port}`;
  const answers = async () => {
    for (const late = Date.now() + PATIENCE_MS; !(await isAnswering(base)); await pause(50)) {
      if (child.exitCode !== null || Date.now() > late) throw new Error(`haproxy finds no replica:\n${output}`);
    }
  };
  return { name: 'haproxy with deploy/haproxy.cfg', base, answers, close };
}

const isAnswering = (base) =>
  fetch(`${base}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
