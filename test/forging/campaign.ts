import { ACTIONS } from './actions.js';
import { createTask } from './origin.js';
import { Sequence, type Difference } from './sequence.js';
import { openApp, World } from './world.js';

const STEPS = Array.from({ length: 40 }, (_, step) => step);

/** The result of a run: the number of sequences and of closed tasks, and the differences from the model. */
export interface Outcome {
  sequences: number;
  closed: number;
  differences: string[];
}

/** So many sequences run at the same time, each in a world of its own. */
const AT_ONCE = 6;

/** Runs the sequences with consecutive seeds until that many differ from the model; reduces these to the steps needed. */
export async function runSequences(sequences: number, seed: number, most = 1): Promise<Outcome> {
  const outcome: Outcome = { sequences: 0, closed: 0, differences: [] };
  const seeds = Array.from({ length: sequences }, (_, index) => seed + index);
  const app = await openApp();
  const worlds: World[] = [];
  while (worlds.length < Math.min(AT_ONCE, sequences)) worlds.push(await World.open(app));
  const lane = async (world: World): Promise<void> => {
    while (seeds.length > 0 && outcome.differences.length < most) {
      const next = Number(seeds.shift());
      const { closed, difference } = await play(world, next, STEPS);
      outcome.closed += closed;
      if (difference !== undefined) outcome.differences.push(await reduce(world, next, difference));
      outcome.sequences += 1;
    }
    world.close();
  };
  try {
    await Promise.all(worlds.map(lane));
  } finally {
    await app.close();
  }
  return outcome;
}

async function play(world: World, seed: number, steps: readonly number[]): Promise<Sequence> {
  const sequence = new Sequence(world, seed, { begin: createTask, actions: ACTIONS });
  await sequence.run(steps);
  return sequence;
}

/** Leaves out half of the steps, then a quarter and so on, as long as the difference remains. */
async function reduce(world: World, seed: number, first: Difference): Promise<string> {
  let steps = STEPS.slice(0, first.step + 1);
  let found = first.text;
  for (let size = Math.ceil(steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = steps.length; end > 0; end -= size) {
      // Each step has random numbers of its own, so that the others do the same without it.
      const fewer = steps.filter((_, index) => index < end - size || index >= end);
      const { difference } = await play(world, seed, fewer);
      if (difference === undefined || difference.what !== first.what) continue;
      found = difference.text;
      steps = fewer;
    }
  }
  return `${found}\nsteps ${steps.join(', ')}`;
}
