/** Stops all processes of the run and removes its files. */
export default async function tearDown(): Promise<void> {
  await globalThis.testRun?.end();
}
