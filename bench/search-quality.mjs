import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from './client.mjs';

const HELP = `How well the search finds duplicates. Puts jquery-trac.jsonl into a running service through its public interface,
and searches for the title of each ticket that is labelled as a duplicate: is the ticket that it duplicates among the
first 20 with sort=relevance?

  node bench/search-quality.mjs --data <directory> --email <email> --password <password>
    [--url http://localhost:3000] [--endeavour <id of an endeavour that was filled before>] [--least 40]

Fails below the least share (percent). The ticket that is searched with is itself among those that are found.
`;

const FIRST = 20;
const AT_ONCE = 8;
const say = (line) => process.stdout.write(`${line}\n`);

async function readTickets(directory) {
  const tickets = [];
  const lines = createInterface({ input: createReadStream(join(directory, 'jquery-trac.jsonl'), 'utf8') });
  for await (const line of lines) if (line.trim() !== '') tickets.push(JSON.parse(line));
  return tickets;
}

async function inParallel(items, work) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Retries after the delay that the service requests. */
async function patiently(client, method, path, body) {
  for (;;) {
    const response = await client.fetch(method, `/api/v1${path}`, body);
    const answer = await response.json();
    if (![429, 503].includes(response.status)) return { status: response.status, ...answer };
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000);
  }
}

async function fill(client, tickets) {
  const { id } = await client.post('/endeavours', { name: `Search quality ${new Date().toISOString()}` });
  let refused = 0;
  await inParallel(tickets, async ({ key, title, description }) => {
    const task = { title, description: description ?? '', endeavour_id: id, metadata: { key } };
    const { status } = await patiently(client, 'POST', '/tasks', task);
    if (status !== 201) refused += 1;
  });
  say(`${tickets.length - refused} tickets in ${id}, ${refused} refused`);
  return id;
}

/** A title as a search: at most 200 characters, without characters of the search syntax. */
const queryOf = (title) => title.replaceAll(/["-]/g, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, 200);

async function measure(client, endeavourId, duplicates) {
  let found = 0;
  const times = [];
  await inParallel(duplicates, async ({ title, duplicate_of }) => {
    const search = encodeURIComponent(queryOf(title));
    const begun = performance.now();
    const path = `/tasks?endeavour_id=${endeavourId}&sort=relevance&limit=${FIRST}&count=false&search=${search}`;
    const { data = [] } = await patiently(client, 'GET', path);
    times.push(performance.now() - begun);
    if (data.some(({ metadata }) => metadata.key === duplicate_of)) found += 1;
  });
  times.sort((a, b) => a - b);
  return { found, median: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 3000}` },
      data: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      endeavour: { type: 'string' },
      least: { type: 'string', default: '40' },
    },
  });
  if (values.data === undefined || values.email === undefined || values.password === undefined) {
    process.stdout.write(HELP);
    process.exitCode = 1;
    return;
  }
  const tickets = await readTickets(values.data);
  const keys = new Set(tickets.map(({ key }) => key));
  const duplicates = tickets.filter(({ duplicate_of }) => keys.has(duplicate_of));
  const client = await new Client(values.url).signIn(values.email, values.password);
  const endeavourId = values.endeavour ?? (await fill(client, tickets));
  const { found, median, p99 } = await measure(client, endeavourId, duplicates);
  const share = (100 * found) / duplicates.length;
  say(`${found} of ${duplicates.length} duplicates found among the first ${FIRST}: ${share.toFixed(1)} %`);
  say(`median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${AT_ONCE} at once`);
  if (share < Number(values.least)) process.exitCode = 1;
}

await main();
