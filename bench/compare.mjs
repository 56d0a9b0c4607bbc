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
 * Compares this build with the build of another commit: the same requests, in turn, on the same data in two databases
 * of one PostgreSQL. Both figures of a ratio are measured within seconds, so that a noisy machine affects both.
 */
export async function compareBuilds({ commit, connection, postmaster, routes, size, rounds, texts, say }) {
  const folder = checkOut(commit, say);
  const opened = [];
  try {
    const read = await readTexts(texts);
    for (const [name, root] of [
      ['before', folder],
      ['now', ROOT],
    ]) {
      opened.push(await Build.open({ name, root, connection, postmaster, size, read, say }));
    }
    for (const build of opened) for (const [name, route] of routes) await build.define(name, route);
    for (const build of opened) for (const [name] of routes) await build.measure(name, WARMING);
    const figures = routes.map(([name, route]) => ({ name, route, before: [], now: [] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const figure of figures) {
        for (const build of round % 2 === 0 ? opened : opened.toReversed()) {
          figure[build.name].push(await build.measure(figure.name));
        }
      }
      say(`round ${round + 1} of ${rounds}`);
    }
    return table(commit, figures);
  } finally {
    for (const build of opened) await build.close();
    await rm(folder, { recursive: true, force: true });
  }
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

/** One build and its service, on a database that its own programs filled because the schema may differ. */
class Build {
  static async open({ name, root, connection: server, postmaster, size, read, say }) {
    const load = (path) => import(pathToFileURL(join(root, 'bench', path)).href);
    const { Databases } = await load('databases.mjs');
    const { startService } = await load('servers.mjs');
    const databases = new Databases(server, read, { isKept: false, say });
    const { connection } = await databases.open({ ...size, name: `${size.name}_${name}` });
    const client = new pg.Client(connection);
    await client.connect();
    const build = new Build();
    return Object.assign(build, {
      name,
      client,
      size,
      texts: read.texts,
      service: await startService(connection),
      generator: new Generator(postmaster),
    });
  }

  async define(name, { kind, make }) {
    const { client, service, generator, size, texts } = this;
    await generator.define(name, kind, await make(new Requests(size, texts, SECRETS.JWT_SECRET), { client, service }));
  }

  measure(name, step = STEP) {
    return this.generator.run({ name, servers: [this.service], ...step });
  }

  async close() {
    this.generator.stop();
    await this.service.stop();
    await this.client.end();
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function table(commit, figures) {
  const rows = figures.map(({ route, before, now }) => {
    const ratios = now.map(({ rps }, at) => rps / before[at].rps);
    const cost = (what) => median(now.map((one, at) => one[what] / before[at][what])).toFixed(2);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const each = [before, now].map((all) => median(all.map(({ rps }) => rps)).toFixed(0));
    return [route.title, ...each, `${median(ratios).toFixed(2)} (${range})`, cost('nodeUs'), cost('databaseUs')];
  });
  const head = ['route', `${commit}, /s`, 'now, /s', 'ratio: median (range)', 'node time', 'PostgreSQL time'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
