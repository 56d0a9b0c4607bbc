import { isDeep } from '../support/depth.js';
import { OwnershipRun } from './campaign.js';

const STEPS = Number(process.env.OWNERSHIP_STEPS ?? (isDeep ? 400 : 100));
const SEED = Number(process.env.OWNERSHIP_SEED ?? 1);
/** Short runs compare the roles of all people only every 20 steps; a difference persists until then. */
const EVERY = STEPS > 400 ? 1 : 20;
const MS_PER_STEP = 3_000;

describe('ownership', () => {
  it(
    `matches the model in ${STEPS} random acts of six people over three organizations (OWNERSHIP_SEED=${SEED})`,
    async () => {
      const ownership = await OwnershipRun.open(SEED);
      const { steps, applied, differences } = await ownership.run(STEPS, EVERY);
      await ownership.close();
      expect(differences).toEqual([]);
      expect(steps).toBe(STEPS);
      expect(applied).toBeGreaterThan(STEPS / 10);
    },
    Math.max(600_000, STEPS * MS_PER_STEP),
  );
});
