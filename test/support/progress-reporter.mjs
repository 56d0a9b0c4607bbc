import { DefaultReporter } from '@jest/reporters';
import { untestedResponses } from './unanswered.mjs';

/**
 * The default reporter of jest, which also shows the number of finished files if the output is not a terminal. A
 * complete run fails if the OpenAPI document contains a response that no test produced.
 */
export default class ProgressReporter extends DefaultReporter {
  constructor(globalConfig, options) {
    super(globalConfig);
    this.begun = Date.now();
    this.checksAnswers = options.checksAnswers;
    this.isWhole = globalConfig.testPathPatterns.patterns.length === 0 && globalConfig.testNamePattern === undefined;
  }

  onTestResult(test, result, results) {
    if (!process.stdout.isTTY) process.stderr.write(this.progress(results));
    super.onTestResult(test, result, results);
  }

  progress({ numTotalTestSuites: total, numPassedTestSuites, numFailedTestSuites, numPendingTestSuites }) {
    const done = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites;
    return `[${done}/${total}, ${Math.round((Date.now() - this.begun) / 1000)} s] `;
  }

  onRunComplete(contexts, results) {
    super.onRunComplete(contexts, results);
    if (!this.checksAnswers || !this.isWhole || results.numFailedTests > 0) return;
    const unanswered = untestedResponses(process.env.TEST_DIR ?? '');
    if (unanswered.length === 0) return;
    this.error = new Error(`The OpenAPI document promises answers that no test saw:\n  ${unanswered.join('\n  ')}`);
    process.stderr.write(`${this.error.message}\n`);
  }

  getLastError() {
    return this.error;
  }
}
