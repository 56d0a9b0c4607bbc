import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { compareWithDatabase, Ledger, runWriter } from './support/ledger.mjs';
import { freePort, temporaryFolder, nodeArguments } from './support/programs.mjs';
import { Service } from './support/service.mjs';

export const title =
  'Backs up during writes, flips a byte of the backup, restores the backup elsewhere and compares the data.';

const WRITERS = 8;
/** The minimum number of acknowledged writes in a round before the backup starts. */
const AT_LEAST = 100;
/** Makes the service generate its own keys, which the backup must contain. */
const OWN_KEYS = { JWT_SECRET: '', PEPPER: '' };

/** Runs all rounds on one service, whose data grows with each round. */
export async function run({ full, rounds = full ? 20 : 3, say }) {
  const service = await Service.start({ environment: OWN_KEYS });
  const admin = await service.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Backups' });
  const course = { service, endeavour, token: admin.token, ledger: new Ledger(), folder: temporaryFolder('backups') };
  const outcomes = [];
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await oneRound(course, round);
    outcomes.push(outcome);
    say(`round ${round}: ${summary(outcome)}`);
    [...outcome.broken, ...outcome.complaints].forEach(say);
  }
  await service.stop();
  return figures(outcomes, course.ledger, rounds);
}

async function oneRound(course, round) {
  const { service, endeavour, token, ledger } = course;
  const stop = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    runWriter(service.base, token, { ledger, endeavour, name: `r${round} w${n}`, signal: stop.signal }),
  );
  const enough = ledger.acknowledged.size + AT_LEAST;
  await pause(Math.random() * 700);
  while (ledger.acknowledged.size < enough) await pause(20);
  const before = new Map(ledger.acknowledged);
  const folder = join(course.folder, String(round));
  const backup = await command('backup', [folder], service.environment);
  const meanwhile = ledger.acknowledged.size - before.size;
  stop.abort();
  await Promise.all(writers);

  const sound = await command('restore', ['--verify', folder], service.environment);
  const flipped = flip(folder);
  const damaged = await command('restore', ['--verify', folder], service.environment);
  flipped.back();
  const found = await restored(course, folder, { acknowledged: before, refused: new Map() });
  rmSync(folder, { recursive: true });
  return {
    ...found,
    before: before.size,
    meanwhile,
    file: flipped.path,
    milliseconds: backup.milliseconds,
    isFound: damaged.code === 1 && damaged.output.includes(flipped.name),
    complaints: [backup, sound].filter(({ code }) => code !== 0).map(({ output }) => output),
  };
}

/** Restores the backup into a separate folder, starts a service there, and checks the service and its database. */
async function restored({ service, endeavour, token }, folder, ledger) {
  const other = new Service(await freePort(), undefined, OWN_KEYS);
  const { code, output } = await command('restore', [folder], other.environment);
  if (code !== 0) throw new Error(`restoring ended with ${code}:\n${output}`);
  try {
    other.launch();
    await other.ready();
    const signedIn = await other.signIn().then(
      () => true,
      () => false,
    );
    const whoami = await fetch(`${other.base}/api/v1/auth/whoami`, { headers: { authorization: `Bearer ${token}` } });
    return await withDatabase(other.postmaster.connection, async (query) => ({
      ...(await compareWithDatabase(ledger, endeavour, query)),
      broken: await brokenInvariants(query),
      isKnown: signedIn && whoami.status === 200 && service.isRunning,
    }));
  } finally {
    await other.end();
    rmSync(other.folder, { recursive: true, force: true });
  }
}

async function command(module, args, env) {
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeArguments(module), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output, milliseconds: Math.round(performance.now() - begun) };
}

/** Changes one random byte of the backup. */
function flip(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => statSync(path).size > 0);
  const path = files[Math.floor(Math.random() * files.length)];
  const content = readFileSync(path);
  const at = Math.floor(Math.random() * content.length);
  const other = Buffer.from(content);
  other[at] ^= 1 + Math.floor(Math.random() * 255);
  writeFileSync(path, other);
  const inside = path.slice(folder.length + 1);
  return {
    path: `${inside} byte ${at}`,
    name: inside.replace(/^data\//, ''),
    back: () => writeFileSync(path, content),
  };
}

const summary = ({ before, meanwhile, lost, doubled, isFound, file, milliseconds }) =>
  `${milliseconds} ms; ${before} acknowledged before, ${lost.length} missing, ${doubled.length} doubled, ` +
  `${meanwhile} written meanwhile; ${file} flipped: ${isFound ? 'found' : 'NOT FOUND'}`;

function figures(outcomes, ledger, rounds) {
  const sum = (count) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const every = (figure, holds) => {
    const count = outcomes.filter(holds).length;
    return { figure, reached: `${count} of ${rounds}`, bar: `${rounds} of ${rounds}`, passed: count === rounds };
  };
  const bad = [...ledger.answers].filter(([status]) => status < 200 || status > 299);
  const durations = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return [
    every('backups that verify', ({ complaints }) => complaints.length === 0),
    { figure: 'writes acknowledged before the backups', reached: sum(({ before }) => before), bar: '-', passed: true },
    {
      figure: 'writes acknowledged during the backups',
      reached: sum(({ meanwhile }) => meanwhile),
      bar: '-',
      passed: true,
    },
    none(
      'acknowledged writes that are missing',
      sum(({ lost }) => lost.length),
    ),
    none(
      'writes that took effect twice',
      sum(({ doubled }) => doubled.length),
    ),
    none(
      'broken invariants',
      sum(({ broken }) => broken.length),
    ),
    every('flipped bytes detected, with the name of the file', ({ isFound }) => isFound),
    every('passwords and tokens accepted after restoring', ({ isKnown }) => isKnown),
    none(
      'writes refused or failed during the backups',
      bad.reduce((total, [, times]) => total + times, 0),
    ),
    { figure: 'time of a backup', reached: `${durations[0]} to ${durations.at(-1)} ms`, bar: '-', passed: true },
  ];
}
