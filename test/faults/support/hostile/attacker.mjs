/** The hostile client, a process of its own: does what it is told to, and watches the memory of the service meanwhile. */
import { setPriority } from 'node:os';
import { residentMemory } from '../processes.mjs';
import * as connections from './connections.mjs';
import * as requests from './requests.mjs';

const attacks = { ...connections, ...requests };
const LOWEST_PRIORITY = 19;
const LOOK_MS = 500;

// Attackers bring their own machines; what they compute should not be taken from the service's.
setPriority(LOWEST_PRIORITY);

async function serve({ attack, context }) {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, residentMemory(context.pid));
  };
  const watch = setInterval(look, LOOK_MS);
  const outcome = await attacks[attack](context).catch((error) => ({ told: error.stack, passed: false }));
  clearInterval(watch);
  look();
  process.send({ ...outcome, peak });
}

process.once('message', (order) => void serve(order));
