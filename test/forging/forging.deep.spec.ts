import { runSequences } from './campaign.js';

const SEQUENCES = Number(process.env.FORGING_SEQUENCES ?? 60);
const SEED = Number(process.env.FORGING_SEED ?? 1);
const MOST_DIFFERENCES = Number(process.env.FORGING_DIFFERENCES ?? 1);
const MS_PER_SEQUENCE = 10_000;

describe('closing a task in random sequences', () => {
  it(
    'succeeds exactly if its policy is met or overridden, or it has none',
    async () => {
      const { sequences, closed, differences } = await runSequences(SEQUENCES, SEED, MOST_DIFFERENCES);
      expect(differences).toEqual([]);
      expect(sequences).toBe(SEQUENCES);
      expect(closed).toBeGreaterThan(0);
    },
    Math.max(600_000, SEQUENCES * MS_PER_SEQUENCE),
  );
});
