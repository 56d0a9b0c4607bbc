import { once } from 'node:events';

export default async function tearDown(): Promise<void> {
  const child = globalThis.testPostgres;
  if (child === undefined || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}
