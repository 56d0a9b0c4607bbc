import { orderAnomalies, type Timed } from './sweep.js';

/** A read of the register: its revision and, if the response contained it, its value. */
export interface RegisterRead extends Timed {
  kind: 'seen';
  revision: number;
  value?: string;
}

/** A write of a value that no other client writes; without a `revision`, its outcome is unknown. */
export interface RegisterWrite extends Timed {
  kind: 'written';
  value: string;
  /** The revision of its `If-Match`, if it had one. */
  expected?: number;
  revision?: number;
}

/** A write that was refused because its `If-Match` did not name the current revision. */
export interface RefusedWrite extends Timed {
  kind: 'refused';
  expected: number;
  current: number;
}

export type RegisterOperation = RegisterRead | RegisterWrite | RefusedWrite;

/**
 * Returns the contradictions to a linearizable history of one register: each revision must be one write and follow the
 * one before it, and no client may read an older revision later. The revisions define the order, so no search for a
 * valid order is needed. `last` is the state of the register after all operations.
 */
export function registerAnomalies(
  initial: string,
  history: RegisterOperation[],
  last: { revision: number; value: string },
): string[] {
  const values = new Map([[1, initial]]);
  const anomalies = [...valueAnomalies(values, history, last)];
  const settled = settle(values, history);
  anomalies.push(...writeAnomalies(values, settled), ...gapAnomalies(values, settled, last.revision));
  const operations = [...settled, { kind: 'seen', begun: Infinity, ended: Infinity, ...last } as RegisterRead];
  return [...anomalies, ...orderAnomalies(operations, revisionOf, judge)];
}

const revisionOf = (operation: RegisterOperation): number | undefined =>
  operation.kind === 'refused' ? operation.current : operation.revision;

function judge(operation: RegisterOperation, revision: number, reached: number): string | undefined {
  if (operation.kind === 'written') {
    return revision > reached ? undefined : `revision ${revision} was written after ${reached} was known`;
  }
  return revision >= reached ? undefined : `revision ${revision} was seen after ${reached} was known`;
}

/** Reports revisions with more than one value, and adds the observed values to `values`. */
function* valueAnomalies(
  values: Map<number, string>,
  history: RegisterOperation[],
  last: { revision: number; value: string },
): Generator<string> {
  for (const operation of [...history, { ...last, kind: 'seen' as const }]) {
    if (operation.kind === 'refused' || operation.revision === undefined || operation.value === undefined) continue;
    const known = values.get(operation.revision);
    if (known === undefined) values.set(operation.revision, operation.value);
    else if (known !== operation.value) {
      yield `revision ${operation.revision} is both "${known}" and "${operation.value}"`;
    }
  }
}

/** Assigns a revision to each write of unknown outcome whose value a client has read. */
function settle(values: Map<number, string>, history: RegisterOperation[]): RegisterOperation[] {
  const revisions = new Map([...values].map(([revision, value]) => [value, revision]));
  return history.map((operation) =>
    operation.kind === 'written' && operation.revision === undefined
      ? { ...operation, revision: revisions.get(operation.value), ended: Infinity }
      : operation,
  );
}

function* writeAnomalies(values: Map<number, string>, history: RegisterOperation[]): Generator<string> {
  const given = new Map<number, string>();
  for (const operation of history) {
    if (operation.kind === 'refused' && operation.current === operation.expected) {
      yield `a write that expected revision ${operation.expected} was refused although it was the current one`;
    }
    if (operation.kind !== 'written' || operation.revision === undefined) continue;
    const { value, revision, expected } = operation;
    if (expected !== undefined && revision !== expected + 1) {
      yield `"${value}" expected revision ${expected} and became ${revision}`;
    }
    if (given.has(revision)) yield `revision ${revision} was given to "${given.get(revision)}" and to "${value}"`;
    given.set(revision, value);
  }
  for (const [revision, value] of values) {
    if (revision > 1 && given.get(revision) !== value)
      yield `no client wrote "${value}", which is revision ${revision}`;
  }
}

/** A revision that no client observed must belong to a write of unknown outcome, each of which explains at most one. */
function* gapAnomalies(values: Map<number, string>, history: RegisterOperation[], last: number): Generator<string> {
  const open = history.filter((operation) => operation.kind === 'written' && operation.revision === undefined);
  const unknown = new Set(open as RegisterWrite[]);
  const blind: number[] = [];
  for (let revision = 2; revision < last; revision += 1) {
    if (values.has(revision)) continue;
    const writer = [...unknown].find(({ expected }) => expected === revision - 1);
    if (writer === undefined) blind.push(revision);
    else unknown.delete(writer);
  }
  const free = [...unknown].filter(({ expected }) => expected === undefined).length;
  for (const revision of blind.slice(free)) yield `revision ${revision} was written by no client`;
}
