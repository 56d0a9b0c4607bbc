import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../../common/errors.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { Lifecycle } from '../../../common/lifecycle.js';
import { Database } from '../../../platform/database/database.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import { RefusedLine } from '../reading/import-format.js';
import type { LineRefusal, StoredLine } from '../imports.repository.js';
import { lineRefusalOf } from '../reading/line-refusals.js';

/** The changes of one entity. */
export interface WrittenPatch {
  /** The valid changes, without the status. */
  changes: JsonRecord;
  /** The patches that lead to the status. */
  steps: readonly JsonRecord[];
  update: (body: JsonRecord) => Promise<unknown>;
  line: StoredLine;
  refusals: LineRefusal[];
  /** Receives the names of the properties that a rule refuses. */
  refused?: Set<string>;
}

/** Patches entities from lines: what a rule refuses is reported, the rest is written. */
@Injectable()
export class ImportedPatches {
  constructor(private readonly database: Database) {}

  /** Writes the changes, each by itself if a rule refuses them together, and then the steps of the status. */
  async write({ changes, steps, update, line, refusals, refused = new Set() }: WrittenPatch): Promise<boolean> {
    let isChanged = false;
    const attempt = async (name: string, bodies: readonly JsonRecord[], isFinal = true): Promise<boolean> => {
      const refusal = await inSavepoint(this.database, async () => {
        for (const body of bodies) await update(body);
      });
      if (refusal === undefined) return (isChanged = true);
      if (isFinal) {
        refused.add(name);
        refusals.push(lineRefusalOf(line, refusal));
      }
      return false;
    };
    const names = Object.keys(changes);
    const isOne = names.length < 2;
    if (names.length > 0 && !(await attempt(names[0], [changes], isOne)) && !isOne) {
      for (const name of names) await attempt(name, [{ [name]: changes[name] }]);
    }
    if (steps.length > 0) await attempt('status', steps);
    return isChanged;
  }
}

/** Returns the changes that are valid; each other one becomes a refusal. */
export function validChanges(
  changes: JsonRecord,
  errors: readonly FieldError[],
  line: StoredLine,
  refusals: LineRefusal[],
): JsonRecord {
  if (errors.length === 0) return changes;
  const invalid = new Set(errors.map(({ field }) => field.split('.')[0]));
  for (const { field, message, code } of errors) {
    refusals.push(lineRefusalOf(line, new RefusedLine(`${field}: ${message}`, 'invalid_input', code)));
  }
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !invalid.has(name)));
}

/** Returns the patches on the shortest way to a status. */
export const stepsTo = <S extends string>(lifecycle: Lifecycle<S>, from: S, to: S, reason: string): JsonRecord[] =>
  lifecycle.steps(from, to).map((status) => ({ status, ...(status === 'canceled' && { canceled_reason: reason }) }));
