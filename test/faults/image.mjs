import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync } from 'node:fs';
import { Client } from '../../bench/client.mjs';
import { Container } from './support/container.mjs';
import { withDatabase } from './support/database.mjs';
import { fingerprintOf, ImageBuilder } from './support/image.mjs';
import { startPostgres } from './support/postgres.mjs';
import { freePort, temporaryFolder } from './support/programs.mjs';

export const title =
  'The image is built without an engine and a network, and runs as its user on a root that it cannot write.';

const ADMIN = { email: 'image@worksmith.example', password: randomBytes(12).toString('hex') };
/** The limits of what the Dockerfile adds to its base, and of a stop, after which an engine kills by default. */
const MAX_MB = 400;
const STOP_MS = 10_000;
const NODE_USER = 1000;

/** Builds the image, at full size twice, and runs it on its embedded database and on another one. */
export async function run({ full, say }) {
  const figures = [];
  const add = (figure, reached, bar, passed) => {
    say(`${figure}: ${reached}`);
    figures.push({ figure, reached: String(reached), bar: String(bar), passed });
  };
  const builder = await ImageBuilder.prepare(say);
  const image = await built(builder, say);
  const mb = Math.round(image.bytes / 1e6);
  add('MB that the image has beside its base', mb, `< ${MAX_MB}`, mb < MAX_MB);
  if (full) {
    const [first, second] = [
      await fingerprintOf(`${image.files}/app`),
      await fingerprintOf(`${(await built(builder, say)).files}/app`),
    ];
    add('difference between the files of two builds', first === second ? 'none' : 'some', 'none', first === second);
  }
  await onEmbedded(image, add);
  await onPostgres(image, add);
  return figures;
}

async function built(builder, say) {
  const begun = Date.now();
  const image = await builder.build();
  say(`built in ${Math.round((Date.now() - begun) / 1000)} s`);
  return image;
}

/** As `docker run --read-only --tmpfs /tmp -v <volume>:/data -e MAIL=files` does. */
async function onEmbedded(image, add) {
  const volume = temporaryFolder('volume');
  // A new volume takes the owner of the folder in the image.
  chownSync(volume, NODE_USER, NODE_USER);
  chmodSync(volume, 0o755);
  const settings = { MAIL: 'files', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const what = 'with the embedded database in a volume';
  const { name } = await firstRun(image, add, what, { volume, settings });
  const again = await started(image, { volume, settings });
  const kept = (await endeavours(again.container)).includes(name);
  add(
    `${what}: ms until a second start is ready, with what was written`,
    `${again.ms}, ${kept ? 'kept' : 'lost'}`,
    'kept',
    kept,
  );
  await stopped(again.container, add, `${what}, the second time`);
}

/** As a replica runs, after a migration by the same image; without a volume, nothing but /tmp can be written. */
async function onPostgres(image, add) {
  const { connection, databaseUrl } = await startPostgres();
  await withDatabase(connection, (query) => query('CREATE DATABASE image'));
  const settings = {
    DATABASE_URL: databaseUrl.replace(/\/[^/]*$/, '/image'),
    JWT_SECRET: randomBytes(32).toString('hex'),
    PEPPER: randomBytes(32).toString('hex'),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Worksmith <worksmith@worksmith.example>',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  };
  const what = 'with a PostgreSQL of its own';
  const code = await new Container(image, { environment: settings, command: ['node', 'dist/migrate.js'] }).exit();
  add(`${what}: exit code of the migration`, code, 0, code === 0);
  await firstRun(image, add, what, { settings });
}

async function started(image, { volume, settings }) {
  const container = new Container(image, { volume, environment: { ...settings, PORT: String(await freePort()) } });
  return { container, ms: await container.ready() };
}

const base = (container) => `http://127.0.0.1:${container.port}`;
const signIn = (container) => new Client(base(container)).signIn(ADMIN.email, ADMIN.password);

async function endeavours(container) {
  return (await (await signIn(container)).get('/endeavours')).map(({ name }) => name);
}

/** Starts it, looks at what it may and serves, writes an endeavour, and stops it. */
async function firstRun(image, add, what, options) {
  const { container, ms } = await started(image, options);
  const { user, capabilities, privileges } = container.rights;
  add(
    `${what}: user, capabilities, new privileges`,
    `${user}, ${capabilities}, ${privileges === '1' ? 'none' : 'possible'}`,
    `${NODE_USER}, 0, none`,
    user === NODE_USER && capabilities === 0n && privileges === '1',
  );
  const elsewhere = ['/x', '/app/x', '/home/node/x', ...(options.volume === undefined ? ['/data/x'] : [])];
  const writable = elsewhere.filter((file) => container.run('touch', file) === 0);
  const canWrite = container.run('touch', '/tmp/x') === 0;
  const isFixed = writable.length === 0 && canWrite;
  add(`${what}: files that can be written beside /tmp`, writable.join(', ') || 'none', 'none', isFixed);
  const statuses = await statusesOf(container, ['/health/ready', '/docs', '/openapi.json', '/version']);
  add(
    `${what}: statuses of readiness, explorer, document, version`,
    statuses.join(', '),
    '200',
    statuses.every((one) => one === 200),
  );
  // An engine runs it as the image says: the words after CMD.
  const health = container.run(...image.config.Healthcheck.Test.slice(1));
  add(`${what}: exit code of the health check`, health, 0, health === 0);
  const { name } = await (await signIn(container)).post('/endeavours', { name: `Garden ${what}` });
  add(`${what}: ms until the first start is ready`, ms, '< 60000', ms < 60_000);
  await stopped(container, add, what);
  return { name };
}

async function statusesOf(container, paths) {
  const statuses = [];
  for (const path of paths) statuses.push((await fetch(`${base(container)}${path}`)).status);
  return statuses;
}

async function stopped(container, add, what) {
  const { code, ms } = await container.stop();
  add(`${what}: exit code after SIGTERM, ms`, `${code}, ${ms}`, `0, < ${STOP_MS}`, code === 0 && ms < STOP_MS);
}
