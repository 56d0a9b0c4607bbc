import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { registerCleanup } from './opened.mjs';
import { startNodeProxy } from './node-proxy.mjs';
import { freePort, cleanEnvironment, ROOT } from './programs.mjs';

const CONFIGURATION = join(ROOT, 'deploy', 'haproxy.cfg');
const PLACES = 3;
const PATIENCE_MS = 30_000;

const isInstalled = () => spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;

/**
 * Starts a proxy in front of the replicas at these ports: haproxy with the configuration of deploy/ if it is installed,
 * else the one in node-proxy.mjs. Returns its name, its base URL and a function that closes it.
 */
export async function startProxy(ports) {
  if (!isInstalled()) return startNodeProxy(ports);
  const proxy = await startHaproxy(ports.map((port) => `127.0.0.1:${port}`));
  await proxy.answers();
  return proxy;
}

/**
 * Starts haproxy with the configuration of deploy/ in front of the replicas at these addresses, which may be host names
 * that `nameServer` resolves. Returns undefined if haproxy is not installed. `answers` waits until it reaches a
 * replica.
 */
export async function startHaproxy(replicas, nameServer = '127.0.0.1:1') {
  if (!isInstalled()) return undefined;
  if (replicas.length > PLACES) throw new Error(`deploy/haproxy.cfg has room for ${PLACES} replicas`);
  const nowhere = `127.0.0.1:${await freePort()}`;
  const places = Array.from({ length: PLACES }, (_, n) => [`REPLICA_${n + 1}`, replicas[n] ?? nowhere]);
  const port = await freePort();
  const environment = { PROXY_BIND: `127.0.0.1:${port}`, NAME_SERVER: nameServer, ...Object.fromEntries(places) };
  const env = { ...cleanEnvironment(), ...environment };
  const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000);
    });
  }
  const gone = once(child, 'close');
  const close = registerCleanup(async () => {
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
