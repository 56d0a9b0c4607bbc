import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before the service: on SIGUSR2 it writes into LOOP_FILE how long the event loop was blocked at its longest since
 * the last time, in milliseconds: by the clock, and by the processor time of the process, which does not count waiting
 * for a processor that others use.
 */
const TICK_MS = 1;
const delays = monitorEventLoopDelay({ resolution: TICK_MS });
delays.enable();
let longest = 0;
let used = process.cpuUsage();

function look() {
  const { user, system } = process.cpuUsage(used);
  used = process.cpuUsage();
  longest = Math.max(longest, (user + system) / 1000);
  setTimeout(look, TICK_MS).unref();
}
look();

process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_FILE, JSON.stringify({ clock: delays.max / 1e6, processor: longest }));
  delays.reset();
  longest = 0;
});
