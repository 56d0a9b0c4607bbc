import { isDeep } from '../support/depth.js';
import { Campaign } from './campaign.js';

const STEPS = Number(process.env.OWNERSHIP_STEPS ?? (isDeep ? 400 : 100));
const SEED = Number(process.env.OWNERSHIP_SEED ?? 1);
/** A short run compares the roles of all people only now and then; a difference stays until it is seen. */
const EVERY = STEPS > 400 ? 1 : 20;
const MS_A_STEP = 3_000;

describe('ownership', () => {
  it(
    `is what the model says in ${STEPS} acts of six people over three organizations (OWNERSHIP_SEED=${SEED})`,
    async () => {
      const campaign = await Campaign.open(SEED);
      const { steps, done, differences } = await campaign.run(STEPS, EVERY);
      await campaign.close();
      expect(differences).toEqual([]);
      expect(steps).toBe(STEPS);
      expect(done).toBeGreaterThan(STEPS / 10);
    },
    Math.max(600_000, STEPS * MS_A_STEP),
  );
});
