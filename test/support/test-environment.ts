import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/** Shows the latest requests of a test that fails, with their answers and log lines, below its error. */
export default class TestEnvironment extends NodeEnvironment {
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
