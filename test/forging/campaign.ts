import { ACTIONS } from './actions.js';
import { createTask } from './origin.js';
import { Sequence, type Difference } from './sequence.js';
import { World } from './world.js';

const STEPS = Array.from({ length: 40 }, (_, step) => step);

/** The result of a run: the number of sequences and of closed tasks, and the differences from the model. */
export interface Outcome {
  sequences: number;
  closed: number;
  differences: string[];
}

/** Runs the sequences with consecutive seeds until that many differ from the model; reduces these to the steps needed. */
export async function runSequences(sequences: number, seed: number, most = 1): Promise<Outcome> {
  const outcome: Outcome = { sequences: 0, closed: 0, differences: [] };
  const world = await World.open();
  try {
    while (outcome.sequences < sequences && outcome.differences.length < most) {
      const { closed, difference } = await play(world, seed + outcome.sequences, STEPS);
      outcome.closed += closed;
      if (difference !== undefined) outcome.differences.push(await reduce(world, seed + outcome.sequences, difference));
      outcome.sequences += 1;
    }
  } finally {
    await world.app.close();
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
