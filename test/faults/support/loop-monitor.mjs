import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before the service. On SIGUSR2, writes the longest block of the event loop since the previous signal to
 * LOOP_FILE, in milliseconds: by the clock, and in CPU time of the process, which excludes waiting for a busy CPU.
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
