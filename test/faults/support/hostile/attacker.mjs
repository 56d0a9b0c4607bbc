/** The hostile client, in a separate process: runs one attack, and monitors the memory of the service meanwhile. */
import { setPriority } from 'node:os';
import { residentMemory } from '../processes.mjs';
import * as connections from './connections.mjs';
import * as requests from './requests.mjs';

const attacks = { ...connections, ...requests };
const LOWEST_PRIORITY = 19;
const LOOK_MS = 500;

// Real attackers use their own machines, so this process should leave the CPU to the service.
setPriority(LOWEST_PRIORITY);

async function serve({ attack, context }) {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, residentMemory(context.pid));
  };
  const watch = setInterval(look, LOOK_MS);
  const outcome = await attacks[attack](context).catch((error) => ({ summary: error.stack, passed: false }));
  clearInterval(watch);
  look();
  process.send({ ...outcome, peak });
}

process.once('message', (order) => void serve(order));
