import { forge } from './campaign.js';

const SEQUENCES = Number(process.env.FORGING_SEQUENCES ?? 200);
const SEED = Number(process.env.FORGING_SEED ?? 1);
const MS_A_SEQUENCE = 10_000;

describe('forging what is done', () => {
  it(
    'closes no task whose policy was not met or overridden, and refuses none wrongly',
    async () => {
      const { sequences, closed, differences } = await forge(SEQUENCES, SEED);
      expect(differences).toEqual([]);
      expect(sequences).toBe(SEQUENCES);
      expect(closed).toBeGreaterThan(0);
    },
    Math.max(600_000, SEQUENCES * MS_A_SEQUENCE),
  );
});
