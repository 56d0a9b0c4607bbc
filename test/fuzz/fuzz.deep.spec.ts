import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { Contract } from '../support/contract.js';
import { Campaign } from './campaign.js';
import { operationsOf } from './operations.js';
import { planOf, wordsOf } from './plans.js';
import { Ear } from './verdicts.js';
import { World } from './world.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Then everything begins anew in an empty service, so that lists stay short. */
const PER_WORLD = 10_000;

it(`answers ${REQUESTS} requests made from the document (FUZZ_SEED=${SEED}) as the document says`, async () => {
  // Every refusal is an Error; jest has each of them remember a hundred frames.
  Error.stackTraceLimit = 10;
  const ear = new Ear();
  const begun = performance.now();
  let campaign: Campaign | undefined;
  for (let done = 0, seed = SEED; done < REQUESTS; done += PER_WORLD, seed += 1) {
    const world = await World.open();
    try {
      campaign ??= makeCampaign(world, ear);
      await campaign.run(world, seed, Math.min(PER_WORLD, REQUESTS - done));
      await campaign.conclude(world, seed);
    } finally {
      await world.close();
    }
  }
  const { tally, findings } = campaign as Campaign;
  const { user, system } = process.cpuUsage();
  const seconds = {
    passed: Math.round((performance.now() - begun) / 1_000),
    computed: Math.round((user + system) / 1e6),
  };
  const report = { seed: SEED, ...tally, seconds, findings: [...findings.values()] };
  if (process.env.FIGURES_FILE) writeFileSync(process.env.FIGURES_FILE, JSON.stringify(report, null, 2));
  expect(report.findings).toEqual([]);
}, 3_600_000);

function makeCampaign(world: World, ear: Ear): Campaign {
  const document = world.app.document;
  const operations = operationsOf(document);
  const words = wordsOf(operations);
  return new Campaign(fc.oneof(...operations.map((one) => planOf(one, words))), new Contract(document, false), ear);
}
