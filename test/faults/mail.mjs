import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { FakeMailServer } from './support/post-office.mjs';
import { Service } from './support/service.mjs';

export const title =
  'Signs users up while the mail server refuses connections, stalls, rejects mails or disconnects, and during kills.';

const MODES = ['refuse', 'tarpit', 'busy', 'unknown', 'drop'];
const GAP_MS = 25;
/** How much slower a registration may be than with a working mail server; the noise of the machine is below that. */
const SLOWER = { factor: 1.5, milliseconds: 5 };

/** Lets the mail server fail in each mode for a while, then kills the service `rounds` times while it sends a mail. */
export async function run({ full, rounds = full ? 40 : 4, say }) {
  const office = await FakeMailServer.open();
  const service = await Service.start({ environment: { SMTP_URL: office.url } });
  const scene = { office, service, seconds: full ? 20 : 3, people: [], medians: {} };
  await registering(scene, 'warm-up', () => pause(1_000));
  for (const mode of ['fine', ...MODES]) {
    await registering(scene, mode, async () => {
      await office.setMode(mode);
      await pause(scene.seconds * 1_000);
    });
    await delivered(scene);
    say(`${mode}: ${summary(scene, mode)}`);
  }
  const before = office.copies;
  for (let round = 0; round < rounds; round += 1) await killedWhileSending(scene, round);
  await delivered(scene);
  say(`killed ${rounds} times: ${summary(scene, 'kill')}`);
  const facts = { rounds, copiesByKills: office.copies - before, copiesByDrops: before, ...(await outcome(scene)) };
  return figures(scene, { ...facts, code: await service.stop() });
}

/** Registers users one after the other until `happening` resolves; records the successful ones and their median time. */
async function registering(scene, mode, happening) {
  const times = [];
  const over = new AbortController();
  const registrations = (async () => {
    while (!over.signal.aborted) {
      const email = `${randomBytes(8).toString('hex')}@example.test`;
      const body = { email, name: 'New User', password: randomBytes(12).toString('hex') };
      const path = '/api/v1/auth/register';
      const answer = await call(scene.service.base, 'POST', path, { body }).catch(() => undefined);
      if (answer?.status === 201) {
        scene.people.push({ email, mode });
        times.push(answer.milliseconds);
      }
      await pause(GAP_MS);
    }
  })();
  await happening();
  over.abort();
  await registrations;
  scene.medians[mode] = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** Kills the service while it sends a mail: when the transfer begins, or when it is complete but not acknowledged. */
async function killedWhileSending(scene, round) {
  const { office, service } = scene;
  const moment = round % 2 === 0 ? 'begun' : 'whole';
  await registering(scene, 'kill', async () => {
    await new Promise((resolve) => {
      office.onMail = (_address, at) => {
        if (at !== moment || !service.isRunning) return;
        office.onMail = () => undefined;
        resolve(service.kill());
      };
    });
    await ask(scene, "UPDATE outbox SET locked_until = now() - interval '1 second' WHERE locked_until IS NOT NULL");
    service.launch();
    await service.ready();
  });
}

/** Repairs the mail server, and makes all mails due until none is pending. */
async function delivered(scene) {
  await scene.office.setMode('fine');
  for (const late = Date.now() + 120_000; ; await pause(250)) {
    await ask(scene, "UPDATE outbox SET due_at = now() WHERE status = 'pending' AND due_at > now()");
    const [{ open }] = await ask(scene, "SELECT count(*)::integer AS open FROM outbox WHERE status = 'pending'");
    if (open === 0) return;
    if (Date.now() > late) throw new Error(`${open} mails are still waiting`);
  }
}

/** The users whose mail is lost or was given up without reason, and the number of users whose code does not work. */
async function outcome(scene) {
  const { office, service } = scene;
  const failed = await ask(scene, "SELECT recipient, last_error FROM outbox WHERE status = 'failed'");
  const givenUp = new Set(failed.map(({ recipient }) => recipient));
  const lost = scene.people.filter(({ email }) => !office.received.has(email) && !givenUp.has(email));
  const wronglyGivenUp = scene.people.filter(({ email, mode }) => givenUp.has(email) && mode !== 'unknown');
  let locked = 0;
  for (const { email } of scene.people.filter((person) => office.received.has(person.email))) {
    const codes = new Set(office.received.get(email).map(({ code }) => code));
    const body = { email, code: [...codes][0] };
    const answer = await call(service.base, 'POST', '/api/v1/auth/verify', { body });
    if (answer.status !== 200 || codes.size > 1) locked += 1;
  }
  const broken = await withDatabase(service.postmaster.connection, brokenInvariants);
  return { lost, wronglyGivenUp, locked, broken, givenUp: givenUp.size };
}

const ask = ({ service }, sql) => withDatabase(service.postmaster.connection, (query) => query(sql));

const summary = ({ people, office, medians }, mode) =>
  `${people.filter((person) => person.mode === mode).length} signed up (median ${medians[mode].toFixed(1)} ms), ` +
  `${office.mails} mails received in all, ${office.copies} of them copies`;

function figures({ people, medians, service, office }, facts) {
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const most = (figure, count, bar) => ({ figure, reached: count, bar: `at most ${bar}`, passed: count <= bar });
  const bar = medians.fine * SLOWER.factor + SLOWER.milliseconds;
  return [
    { figure: 'users who signed up', reached: people.length, bar: '> 0', passed: people.length > 0 },
    none('mails lost', facts.lost.length),
    none('mails given up without a 550', facts.wronglyGivenUp.length),
    { figure: 'mails given up for a 550', reached: facts.givenUp, bar: '> 0', passed: facts.givenUp > 0 },
    most('copies of mails received without acknowledgement', facts.copiesByDrops, office.dropped),
    most('copies of mails caused by kills', facts.copiesByKills, facts.rounds),
    none('users whose code does not work', facts.locked),
    ...MODES.map((mode) => ({
      figure: `median registration, mail server: ${mode}`,
      reached: `${medians[mode].toFixed(1)} ms`,
      bar: `${bar.toFixed(1)} ms (${medians.fine.toFixed(1)} with a working mail server)`,
      passed: medians[mode] <= bar,
    })),
    none('unexpected exits', service.exits.filter((end) => end !== 'SIGKILL').length - 1),
    none('exit code of the last stop', facts.code),
    none('broken invariants', facts.broken.length),
  ];
}
