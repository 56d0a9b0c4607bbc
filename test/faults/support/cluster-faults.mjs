import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from './commands.mjs';

/** What is done to the cluster in turn: each waits until the fault has had its effect, and mends it. */
export const FAULTS = {
  'PostgreSQL of the primary killed': async ({ cluster }) => {
    const primary = await cluster.primary();
    primary.killServer();
    await cluster.primary(primary);
  },
  'machine of the primary killed': async ({ cluster, isWritten }) => {
    const primary = await cluster.primary();
    await primary.kill();
    await cluster.primary(primary);
    await isWritten();
    primary.restart();
  },
  'machine of the primary frozen': async ({ cluster, isWritten }) => {
    const primary = await cluster.primary();
    primary.freeze();
    await cluster.primary(primary);
    await isWritten();
    primary.thaw();
  },
  'primary cut off from the network': async ({ cluster, isWritten }) => {
    const primary = await cluster.primary();
    primary.cutOff();
    await cluster.primary(primary);
    await isWritten();
    primary.reconnect();
  },
  'machine of the synchronous standby killed': async ({ cluster, isWritten }) => {
    const standby = await cluster.standby();
    await standby.kill();
    await isWritten();
    standby.restart();
  },
  'machine of the synchronous standby frozen': async ({ cluster, isWritten }) => {
    const standby = await cluster.standby();
    standby.freeze();
    await isWritten();
    standby.thaw();
  },
  'a member of etcd killed': async ({ cluster, isWritten }, turn) => {
    const { etcd } = cluster.machines[turn % cluster.machines.length];
    await etcd.end('SIGKILL');
    // Longer than the lease of the primary, which it must be able to renew.
    await pause(25_000);
    await isWritten();
    etcd.launch();
  },
};

/**
 * The replicas become ones of the next release one after the other, while the primary fails over, between a migration
 * that expands the schema and one that contracts it. Returns what was not as it must be.
 */
export async function upgrade({ cluster, replicas, next }) {
  const wrong = [];
  const expanded = await migrate(cluster.directUrl, next);
  if (expanded.code !== 0) wrong.push(`the next release does not migrate: ${expanded.output}`);
  const refused = await migrate(cluster.directUrl, next, '--contract');
  if (refused.code !== 1) wrong.push('its contract is not refused beside the old release');
  for (const [index, replica] of replicas.entries()) {
    const code = await replica.stop();
    if (code !== 0) wrong.push(`a replica that was told to stop ended with ${code}`);
    replica.release = next;
    replica.launch();
    if (index === 0) await FAULTS['PostgreSQL of the primary killed']({ cluster });
    await replica.ready();
    // The proxy checks twice a second whether a replica is ready.
    await pause(1_000);
  }
  await cluster.isWhole();
  const contracted = await migrate(cluster.directUrl, next, '--contract');
  if (contracted.code !== 0) wrong.push(`the contract is not applied: ${contracted.output}`);
  return wrong;
}
