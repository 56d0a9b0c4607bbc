import { FAULTS } from './support/database-faults.mjs';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { compareWithDatabase } from './support/ledger.mjs';
import { LoadClients } from './support/people.mjs';
import { startPostgres } from './support/postgres.mjs';
import { TcpProxy } from './support/tcp-proxy.mjs';
import { Service } from './support/service.mjs';
import { mountSmallDisk } from './support/small-disk.mjs';

export const title =
  'Restarts, blocks, disconnects and fills up the database under load; 503 is the only server error that is allowed.';

const BACK_MS = 5_000;
const DISK_MB = 400;
const ALLOWED = [200, 201, 409, 503];

/** Causes each failure `rounds` times while clients write and read. */
export async function run({ full, rounds = full ? 4 : 1, say }) {
  const disk = mountSmallDisk(DISK_MB);
  const figures = [];
  for (const fault of FAULTS) {
    if (fault.needsDisk && disk === undefined) figures.push(notShown(fault));
    else figures.push(...(await injectRounds(fault, { rounds, full, say, disk })));
  }
  return figures;
}

const notShown = ({ name }) => ({ figure: name, reached: 'needs the right to mount', bar: 'shown', passed: false });

async function injectRounds(fault, { rounds, full, say, disk }) {
  const postgres = await startPostgres(fault.needsDisk ? { folder: disk.folder } : {});
  const proxy = await TcpProxy.to(postgres.connection);
  const databaseUrl = postgres.databaseUrl.replace(`:${postgres.connection.port}/`, `:${proxy.port}/`);
  const service = await Service.start({ databaseUrl });
  const { token } = await service.signIn();
  const context = { postgres, proxy, service, disk, seconds: full ? 8 : 4 };
  context.people = await LoadClients.prepare(service.base, token);
  const back = [];
  for (let round = 0; round < rounds; round += 1) {
    context.people.start(fault.load);
    await context.people.waitUntilResponsive();
    await fault.inject({ ...context, round });
    back.push(await context.people.timeToRecover());
    await context.people.stop();
    say(`${fault.name}: back after ${back.at(-1)} ms; ${context.people.summary}`);
  }
  const { acknowledged, lost, doubled } = await withDatabase(postgres.connection, (query) =>
    compareWithDatabase(context.people.ledger, context.people.endeavour, query),
  );
  const broken = await withDatabase(postgres.connection, brokenInvariants);
  [...broken, ...faultsIn(service.output)].forEach((line) => say(line));
  const exits = service.exits.length;
  for (const close of [service.close, proxy.close, postgres.close]) await close();
  const wrong = context.people.countResponsesExcept(ALLOWED);
  return rows(fault, {
    rounds,
    back: Math.max(...back),
    wrong,
    exits,
    acknowledged,
    lost,
    doubled,
    broken,
    scene: context,
  });
}

/** The last errors that the service logged. */
const faultsIn = (output) =>
  output
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
    .slice(-3);

function rows({ name }, { rounds, back, wrong, exits, acknowledged, lost, doubled, broken, scene }) {
  const harm = [`${lost.length} lost`, `${doubled.length} doubled`, `${broken.length} invariants broken`];
  return [
    {
      figure: `${name}, ${rounds} times: answers`,
      reached: scene.people.summary,
      bar: '2xx, 409, 503',
      passed: wrong === 0 && acknowledged > 0,
    },
    { figure: `${name}: slowest return`, reached: `${back} ms`, bar: `${BACK_MS} ms`, passed: back <= BACK_MS },
    {
      figure: `${name}: harm`,
      reached: `${exits} exits, ${harm.join(', ')} of ${acknowledged}`,
      bar: 'none',
      passed: exits + lost.length + doubled.length + broken.length === 0,
    },
  ];
}
