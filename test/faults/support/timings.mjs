import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './database.mjs';
import { call } from './http.mjs';
import { Service } from './service.mjs';

const MAX_MS = 5;
const WARM_UP = 5;
/** The guesses at each code, few enough that no code reaches its limit of attempts. */
const PER_ACCOUNT = 10;
const PASSWORD = 'two wooden ladders';
const CODE = '000-000-000';

/** The request to each public operation, and which addresses it knows: those of accounts, or of pending sign-ups. */
const DOORS = {
  login: { known: 'account', body: (email) => ({ email, password: 'certainly not this one' }) },
  'forgot-password': { known: 'account', body: (email) => ({ email }) },
  'reset-password': { known: 'account', body: (email) => ({ email, code: CODE, new_password: 'an entirely new one' }) },
  'resend-verification': { known: 'waiting', body: (email) => ({ email }) },
  verify: { known: 'waiting', body: (email) => ({ email, code: CODE }) },
  register: { known: 'waiting', body: (email) => ({ email, password: PASSWORD, name: 'A User' }) },
};

/** For each public operation, the median difference of response times between a known and an unknown address. */
export async function timingFigures({ full, say }) {
  const pairs = full ? 200 : 20;
  const cost = full ? '12' : '8';
  const environment = { BCRYPT_COST: cost, TRUSTED_PROXIES: '127.0.0.1' };
  const service = await Service.start({ environment });
  const accounts = Math.ceil((pairs + WARM_UP) / PER_ACCOUNT);
  const people = { account: await enroll(service, accounts), waiting: await signUp(service, accounts) };
  const figures = [];
  for (const [door, { known, body }] of Object.entries(DOORS)) {
    await letCodesArrive(service, people, accounts);
    const gaps = await compare(service.base, door, people[known], body, pairs);
    figures.push(figureOf(door, gaps));
    say(`${door}: ${figures.at(-1).reached}`);
  }
  await service.stop();
  return figures;
}

const emails = (count) => Array.from({ length: count }, () => `${randomBytes(8).toString('hex')}@example.test`);

async function enroll(service, count) {
  const admin = await service.signIn();
  const addresses = emails(count);
  for (const email of addresses) await admin.post('/users', { email, name: 'A User', password: PASSWORD });
  return addresses;
}

async function signUp(service, count) {
  const addresses = emails(count);
  for (const email of addresses) await ask(service.base, 'register', { email, password: PASSWORD, name: 'A User' });
  return addresses;
}

/** Requests a code for every account and sign-up, and waits until all exist, so that all guesses cost the same. */
async function letCodesArrive(service, { account, waiting }, count) {
  for (const email of account) await ask(service.base, 'forgot-password', { email });
  for (const email of waiting) await ask(service.base, 'resend-verification', { email });
  await withDatabase(service.postmaster.connection, async (query) => {
    for (const late = Date.now() + 60_000; ; await pause(100)) {
      const [{ live, due }] = await query(
        `SELECT (SELECT count(DISTINCT scope)::integer FROM codes WHERE ended_at IS NULL AND attempts < 50) AS live,
                (SELECT count(*)::integer FROM outbox WHERE status = 'pending') AS due`,
      );
      if (live >= 2 * count && due === 0) return;
      if (Date.now() > late) throw new Error(`${live} codes wait, and ${due} mails`);
    }
  });
}

/** Times pairs of the same request for a known and an unknown user, in random order. */
async function compare(base, door, known, body, pairs) {
  const gaps = [];
  for (let n = -WARM_UP; n < pairs; n += 1) {
    const times = {};
    const order = Math.random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const who of order) {
      const email = who === 'known' ? known[(n + WARM_UP) % known.length] : emails(1)[0];
      times[who] = (await ask(base, door, body(email))).milliseconds;
    }
    if (n >= 0) gaps.push(times);
  }
  return gaps;
}

/** Each request comes from a different address, so that no limit of an address applies. */
let requests = 0;
function ask(base, door, body) {
  requests += 1;
  const from = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
  return call(base, 'POST', `/api/v1/auth/${door}`, { body, headers: { 'x-forwarded-for': from } });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function figureOf(door, times) {
  const gap = median(times.map(({ known, unknown }) => known - unknown));
  const [known, unknown] = [median(times.map((pair) => pair.known)), median(times.map((pair) => pair.unknown))];
  const details = `known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ${times.length} pairs`;
  return {
    figure: `${door}: median gap between a known and an unknown address`,
    reached: `${gap.toFixed(2)} ms (${details})`,
    bar: `< ${MAX_MS} ms`,
    passed: Math.abs(gap) < MAX_MS,
  };
}
