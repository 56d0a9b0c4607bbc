import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

declare global {
  /** What the test files of one jest worker share; all else each of them loads and makes anew. */
  var sharedByFiles: Map<string, unknown>;
}

const sharedByFiles = new Map<string, unknown>();

/** How often a worker looks whether jest still lives, in milliseconds. */
const LOOK_MS = 500;

// What a test loads may handle SIGINT, and jest then dies alone: its workers end with it, in the middle of a test or not.
// A listener for `disconnect` would keep the worker alive after the last test, and jest would have to kill it.
if (process.connected) {
  setInterval(() => {
    if (!process.connected) process.exit(1);
  }, LOOK_MS).unref();
}

/**
 * Shows the latest requests of a test that fails, with their answers and log lines, below its error. It is loaded once
 * per worker, so that what it holds outlives the file of the moment.
 */
export default class TestEnvironment extends NodeEnvironment {
  constructor(...given: ConstructorParameters<typeof NodeEnvironment>) {
    super(...given);
    this.global.sharedByFiles = sharedByFiles;
  }

  async handleTestEvent(event: { name: string; error?: unknown }): Promise<void> {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const failure = event.error as { stack?: string; matcherResult?: object } | undefined;
    // It may hold whole responses, which lead back to themselves and cannot be written as JSON.
    delete failure?.matcherResult;
    const described = await this.global.describeExchanges?.();
    if (!described || failure?.stack === undefined) return;
    failure.stack = `${failure.stack}\n\nThe latest requests of this test:\n${described}\n`;
  }
}
