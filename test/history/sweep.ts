/** What is known of an operation from outside: when it was asked and answered; never answered is `Infinity`. */
export interface Timed {
  begun: number;
  ended: number;
}

/**
 * Compares each operation with the highest position that any operation had reached before it began, in the order of
 * real time: `judge` says what is wrong, if anything. Operations of no known position take no part.
 */
export function againstThePast<O extends Timed>(
  operations: O[],
  positionOf: (operation: O) => number | undefined,
  judge: (operation: O, position: number, reached: number) => string | undefined,
): string[] {
  const placed = operations.filter((operation) => positionOf(operation) !== undefined);
  const byBegin = placed.toSorted((one, other) => one.begun - other.begun);
  const byEnd = placed.toSorted((one, other) => one.ended - other.ended);
  const anomalies: string[] = [];
  let reached = -Infinity;
  let past = 0;
  for (const operation of byBegin) {
    for (; past < byEnd.length && byEnd[past].ended < operation.begun; past += 1) {
      reached = Math.max(reached, positionOf(byEnd[past]) ?? -Infinity);
    }
    const anomaly = judge(operation, positionOf(operation) ?? -Infinity, reached);
    if (anomaly !== undefined) anomalies.push(anomaly);
  }
  return anomalies;
}
