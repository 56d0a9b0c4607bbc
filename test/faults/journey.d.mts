/** What a journey of issues has come to; `compared` holds it against what was expected. */
export interface Journey {
  expected: Record<string, unknown>;
  said: Record<string, unknown>;
  counted: Record<string, number>;
  broken: string[];
}
export function travel(options: { issues: object[]; agents?: number }): Promise<Journey>;
export function compared(journey: Journey): [figure: string, reached: unknown, expected: unknown][];
