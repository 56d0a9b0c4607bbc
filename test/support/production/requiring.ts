/**
 * Returns how to describe tests that need programs that are no packages of npm. `missing` says which of them this machine
 * lacks, and how to get them: the tests are then skipped, with this sentence, and in CI one fails.
 */
export function requiring(missing: string | undefined): jest.Describe {
  if (missing !== undefined) process.stderr.write(`NOT RUN  ${missing}\n`);
  it('has the programs that it needs, or says which are missing and fails in CI', () => {
    if (process.env.CI === 'true') expect(missing).toBeUndefined();
  });
  return missing === undefined ? describe : describe.skip;
}
