import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { Contract } from '../support/contract.js';
import { FuzzRun } from './campaign.js';
import { operationsOf } from './operations.js';
import { enumValuesOf, planOf, type Plan } from './plans.js';
import { withUnknown } from './unknown-fields.js';
import { LoggedErrors } from './verdicts.js';
import { World } from './world.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Requests per database: each part starts with an empty service, so that lists stay short. */
const PER_WORLD = 10_000;

/** The same with unknown parameters and properties that the service ignores. */
const WITH_UNKNOWN = Math.min(2_000, REQUESTS);

it(`returns documented responses to ${WITH_UNKNOWN} requests with unknown fields that it ignores`, async () => {
  Error.stackTraceLimit = 10;
  const loggedErrors = new LoggedErrors();
  const world = await World.open({ UNKNOWN_FIELDS: 'ignore' });
  try {
    const fuzzRun = makeFuzzRun(world, loggedErrors, withUnknown);
    await fuzzRun.run(world, SEED, WITH_UNKNOWN);
    await fuzzRun.finish(world, SEED);
    expect([...fuzzRun.findings.values()]).toEqual([]);
  } finally {
    await world.close();
  }
}, 3_600_000);

it(`returns documented responses to ${REQUESTS} requests made from the document (FUZZ_SEED=${SEED})`, async () => {
  // Every error response is an Error, for which jest captures a hundred stack frames.
  Error.stackTraceLimit = 10;
  const loggedErrors = new LoggedErrors();
  const begun = performance.now();
  let fuzzRun: FuzzRun | undefined;
  for (let done = 0, seed = SEED; done < REQUESTS; done += PER_WORLD, seed += 1) {
    const world = await World.open();
    try {
      fuzzRun ??= makeFuzzRun(world, loggedErrors);
      await fuzzRun.run(world, seed, Math.min(PER_WORLD, REQUESTS - done));
      await fuzzRun.finish(world, seed);
    } finally {
      await world.close();
    }
  }
  const { tally, findings } = fuzzRun as FuzzRun;
  const { user, system } = process.cpuUsage();
  const seconds = {
    passed: Math.round((performance.now() - begun) / 1_000),
    computed: Math.round((user + system) / 1e6),
  };
  const report = { seed: SEED, ...tally, seconds, findings: [...findings.values()] };
  if (process.env.FIGURES_FILE) writeFileSync(process.env.FIGURES_FILE, JSON.stringify(report, null, 2));
  expect(report.findings).toEqual([]);
}, 3_600_000);

function makeFuzzRun(world: World, loggedErrors: LoggedErrors, change = (plan: Plan): Plan => plan): FuzzRun {
  const document = world.app.document;
  const operations = operationsOf(document);
  const enumValues = enumValuesOf(operations);
  const plans = fc.oneof(...operations.map((one) => planOf(one, enumValues))).map(change);
  return new FuzzRun(plans, new Contract(document, false), loggedErrors);
}
