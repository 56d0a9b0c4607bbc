/** `npm run bench:explorer`: the processor time that the pages of the explorer take in Chromium, and the size of the document. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { Client } from './client.mjs';
import { startServer, stopAll } from './processes.mjs';

const HELP = `Measures the explorer in Chromium (/usr/bin/chromium): the processor seconds until its groups are shown, and to open an
operation, on a desktop and on a phone; and the size of the OpenAPI document. Needs a build (npm start makes one).

  npm run bench:explorer
`;
const LOADS = 3;
/** Every tenth operation, of all groups. */
const EVERY = 10;
const PATIENCE_MS = 180_000;
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
};
const ADMIN = { email: 'explorer@worksmith.example', password: randomBytes(12).toString('hex') };
const say = (line) => process.stdout.write(`${line}\n`);

/** The bytes of a response as they are sent. */
function bytesOf(url, encoding) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length)).on('end', () => resolve(bytes));
    }).once('error', reject);
  });
}

/** Loads the explorer, signed in, in a new page without a cache. */
async function measured(browser, base, token, device) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const protocol = await context.newCDPSession(page);
  // The processor time of the page's thread, not that of the clock.
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    return { task: of('TaskDuration'), script: of('ScriptDuration'), layout: of('LayoutDuration') };
  };
  await page.addInitScript((value) => sessionStorage.setItem('worksmith-token', value), token);
  await page.goto(`${base}/docs/`);
  await page.waitForSelector('.group');
  await page.evaluate(shown);
  const load = await spent();
  return { context, page, spent, load };
}

/** Resolves in the page when it has been drawn. */
const shown = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** The seconds to open each of these operations, one after the other in one page. */
async function opened({ page, spent }, links) {
  const seconds = [];
  for (const link of links) {
    const before = await spent();
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.waitForSelector(`.row[open][data-id="${link.split('/').at(-1)}"] > :nth-child(2)`);
    await page.evaluate(shown);
    // What stays open is not what the next one costs.
    seconds.push({ link, task: (await spent()).task - before.task });
    await page.evaluate(() => document.querySelectorAll('details[open]').forEach((one) => (one.open = false)));
  }
  return seconds.sort((a, b) => a.task - b.task);
}

async function measureExplorer() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-bench-explorer-'));
  chmodSync(DATA_DIR, 0o755);
  const settings = { DATA_DIR, MAIL: 'files', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const { port } = await startServer('dist/main.js', settings);
  const base = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const document = await (await fetch(`${base}/openapi.json`)).json();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const links = operations.map(({ tags: [tag], operationId }) => `#/${encodeURIComponent(tag)}/${operationId}`);
    const [raw, gzip] = [
      await bytesOf(`${base}/openapi.json`, 'identity'),
      await bytesOf(`${base}/openapi.json`, 'gzip'),
    ];
    say(`document: ${kB(raw)} kB, ${kB(gzip)} kB as gzip, ${links.length} operations`);
    const { token } = await new Client(base).signIn(ADMIN.email, ADMIN.password);
    say('| seconds of the processor | desktop | phone |\n|---|---|---|');
    const rows = {};
    for (const [name, device] of Object.entries(DEVICES))
      rows[name] = await rowsOf(browser, base, token, device, links);
    for (const what of Object.keys(rows.desktop)) say(`| ${what} | ${rows.desktop[what]} | ${rows.phone[what]} |`);
  } finally {
    await browser.close();
    await stopAll();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

async function rowsOf(browser, base, token, device, links) {
  const loads = [];
  let page;
  for (let n = 0; n < LOADS; n += 1) {
    await page?.context.close();
    page = await measured(browser, base, token, device);
    loads.push(page.load);
  }
  const { task, script, layout } = loads.sort((a, b) => a.task - b.task)[LOADS >> 1];
  const each = await opened(
    page,
    links.filter((_, n) => n % EVERY === 0),
  );
  await page.context.close();
  const worst = each.at(-1);
  return {
    'until the groups are shown, median of 3': task.toFixed(2),
    'of it script, layout': `${script.toFixed(2)}, ${layout.toFixed(2)}`,
    'to open an operation, median': each[each.length >> 1].task.toFixed(3),
    'to open an operation, longest': `${worst.task.toFixed(3)} (${worst.link})`,
  };
}

const kB = (bytes) => Math.round(bytes / 1000);

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) say(HELP);
else await measureExplorer();
