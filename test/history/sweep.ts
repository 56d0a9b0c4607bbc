/** When an operation was requested, and when its response arrived; `ended` is `Infinity` without a response. */
export interface Timed {
  begun: number;
  ended: number;
}

/**
 * Compares each operation with the highest position of the operations that ended before it began. `judge` returns a
 * description of the contradiction, if there is one. Operations without a known position are skipped.
 */
export function orderAnomalies<O extends Timed>(
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
