import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

declare global {
  /** Values that the test files of one jest worker share; each file creates everything else again. */
  var sharedByFiles: Map<string, unknown>;
}

const sharedByFiles = new Map<string, unknown>();

/** The interval at which a worker checks whether jest is still running, in milliseconds. */
const LOOK_MS = 500;

// Code that a test loads may handle SIGINT, so that only jest ends. Its workers must end as well, even during a test.
// A listener for `disconnect` would keep the worker alive after the last test, and jest would have to kill it.
if (process.connected) {
  setInterval(() => {
    if (!process.connected) process.exit(1);
  }, LOOK_MS).unref();
}

/**
 * Appends the latest requests of a failing test, with their responses and log lines, to its error. This module is
 * loaded once per worker, so that its state outlives each test file.
 */
export default class TestEnvironment extends NodeEnvironment {
  constructor(...given: ConstructorParameters<typeof NodeEnvironment>) {
    super(...given);
    this.global.sharedByFiles = sharedByFiles;
  }

  async handleTestEvent(event: { name: string; error?: unknown }): Promise<void> {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const failure = event.error as { stack?: string; matcherResult?: object } | undefined;
    // It may contain whole responses, which are circular and cannot be serialized as JSON.
    delete failure?.matcherResult;
    const described = await this.global.describeExchanges?.();
    if (!described || failure?.stack === undefined) return;
    failure.stack = `${failure.stack}\n\nThe latest requests of this test:\n${described}\n`;
  }
}
