/** The results of a journey; `compareJourney` compares them with the expected ones. */
export interface JourneyResult {
  expected: Record<string, unknown>;
  reported: Record<string, unknown>;
  counted: Record<string, number>;
  broken: string[];
}
export function runJourney(options: { issues: object[]; agents?: number }): Promise<JourneyResult>;
export function compareJourney(journey: JourneyResult): [figure: string, reached: unknown, expected: unknown][];
