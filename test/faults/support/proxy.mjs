import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { opened } from './opened.mjs';
import { startNodeProxy } from './node-proxy.mjs';
import { freePort, plainEnvironment, ROOT } from './programs.mjs';

const CONFIGURATION = join(ROOT, 'deploy', 'haproxy.cfg');
const PLACES = 3;

/**
 * A proxy before the replicas at those ports: haproxy with the very configuration of deploy/ where it is installed, else
 * our own. Answers with its name, the address to ask, and how to close it.
 */
export async function startProxy(ports, { own = false } = {}) {
  const isThere = !own && spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;
  return isThere ? startHaproxy(ports) : startNodeProxy(ports);
}

async function startHaproxy(ports) {
  if (ports.length > PLACES) throw new Error(`deploy/haproxy.cfg has room for ${PLACES} replicas`);
  const port = await freePort();
  const places = Array.from({ length: PLACES }, async (_, n) => [`REPLICA_${n + 1}`, ports[n] ?? (await freePort())]);
  const replicas = (await Promise.all(places)).map(([name, at]) => [name, `127.0.0.1:${at}`]);
  const env = { ...plainEnvironment(), ...Object.fromEntries(replicas), PROXY_BIND: `127.0.0.1:${port}` };
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
  for (const late = Date.now() + 10_000; !(await answers(base)); await pause(50)) {
    if (child.exitCode !== null || Date.now() > late) throw new Error(`haproxy does not work:\n${output}`);
  }
  return { name: 'haproxy with deploy/haproxy.cfg', base, close };
}

const answers = (base) =>
  fetch(`${base}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
