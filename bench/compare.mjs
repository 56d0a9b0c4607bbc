import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { readTexts } from './data/texts.mjs';
import { Generator } from './generator.mjs';
import { WARMING } from './plan.mjs';
import { ROOT } from './processes.mjs';
import { Requests } from './requests.mjs';
import { SECRETS } from './servers.mjs';

const STEP = { connections: 16, warmUp: 0.5, seconds: 2 };

/**
 * Compares this build with the build of another commit, or with itself with other settings: the same requests, in turn,
 * on the same data in two databases of one PostgreSQL. Both figures of a ratio are measured within seconds, so that a noisy machine affects both. Two
 * processes of the same build can differ by a tenth for their whole lifetime, so both services are started several
 * times, each one first in turn.
 */
export async function compareBuilds({ commit, settings = {}, connection, postmaster, routes, ...how }) {
  const { size, starts, rounds, texts, say } = how;
  const folder = commit === undefined ? undefined : checkOut(commit, say);
  const builds = [];
  try {
    const read = await readTexts(texts);
    for (const [name, root, env] of [
      ['before', folder ?? ROOT, {}],
      ['now', ROOT, settings],
    ]) {
      builds.push(await Build.open({ name, root, env, connection, postmaster, size, read, say }));
    }
    const figures = routes.map(([name, route]) => ({ name, route, before: [], now: [] }));
    for (let start = 0; start < starts; start += 1) {
      await measureStart(start % 2 === 0 ? builds : builds.toReversed(), { routes, rounds, figures });
      say(`start ${start + 1} of ${starts}`);
    }
    return table(commit ?? 'without', figures);
  } finally {
    for (const build of builds) await build.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the services and adds a list of the rounds to the figures of each build. */
async function measureStart(builds, { routes, rounds, figures }) {
  for (const build of builds) await build.start(routes);
  for (const build of builds) for (const [name] of routes) await build.measure(name, WARMING);
  for (const figure of figures) for (const { name } of builds) figure[name].push([]);
  for (let round = 0; round < rounds; round += 1) {
    for (const figure of figures) {
      for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
        figure[build.name].at(-1).push(await build.measure(figure.name));
      }
    }
  }
  for (const build of builds) await build.stop();
}

/** Checks a commit out into a temporary folder, installs its packages and builds it. */
function checkOut(commit, say) {
  const folder = mkdtempSync(join(tmpdir(), 'worksmith-before-'));
  const run = (command, args, options) =>
    execFileSync(command, args, { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'], ...options });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  run('tar', ['-x'], { input: archive });
  say(`Installing and building ${commit}.`);
  run('npm', ['ci', '--no-audit', '--no-fund']);
  run(process.execPath, ['--input-type=module', '-e', `await (await import('./scripts/build.mjs')).ensureBuilt()`]);
  return folder;
}

/** One build, and a database that its own programs filled because the schema may differ. */
class Build {
  static async open({ name, root, env, connection: server, postmaster, size, read, say }) {
    const load = (path) => import(pathToFileURL(join(root, 'bench', path)).href);
    const { Databases } = await load('databases.mjs');
    const { startService } = await load('servers.mjs');
    const databases = new Databases(server, read, { isKept: false, say });
    const { connection } = await databases.open({ ...size, name: `${size.name}_${name}` });
    const client = new pg.Client(connection);
    await client.connect();
    const build = new Build();
    return Object.assign(build, { name, env, connection, startService, client, size, texts: read.texts, postmaster });
  }

  async start(routes) {
    const { env, connection, client, postmaster, size, texts } = this;
    this.service = await this.startService(connection, env);
    this.generator = new Generator(postmaster);
    const { service, generator } = this;
    for (const [name, { kind, make }] of routes)
      await generator.define(
        name,
        kind,
        await make(new Requests(size, texts, SECRETS.JWT_SECRET), { client, service }),
      );
  }

  measure(name, step = STEP) {
    return this.generator.run({ name, servers: [this.service], ...step });
  }

  async stop() {
    this.generator?.stop();
    await this.service?.stop();
    this.generator = undefined;
    this.service = undefined;
  }

  async close() {
    await this.stop();
    await this.client.end();
  }
}

/** For an even number of values, the mean of the two in the middle. */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function table(commit, figures) {
  const rows = figures.map(({ route, before, now }) => {
    const ratiosOf = (what) =>
      now.map((rounds, start) => median(rounds.map((one, round) => one[what] / before[start][round][what])));
    const ratios = ratiosOf('rps');
    const rates = [before, now].map((starts) => median(starts.flat().map(({ rps }) => rps)).toFixed(0));
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    const costs = ['nodeUs', 'databaseUs'].map((what) => median(ratiosOf(what)).toFixed(2));
    return [route.title, ...rates, `${median(ratios).toFixed(2)} (${each})`, ...costs];
  });
  const head = ['route', `${commit}, /s`, 'now, /s', 'ratio (of each start)', 'node time', 'PostgreSQL time'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
