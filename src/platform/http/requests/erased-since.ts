import { isRecord } from '../../../common/texts/json.js';

/** What happened to an entity since a response with it was stored. */
export interface ErasedSince {
  id: string;
  isDeleted: boolean;
  /** The properties of which earlier texts were redacted. */
  fields: string[];
}

const ID = /^[a-z]{3}_[0-9a-f]{32}$/;
const ERASED = 'This text has been erased.';

/** The ids of all entities whose representations the JSON contains. */
export function entitiesIn(value: unknown): string[] {
  const ids = new Set<string>();
  visit(value, ({ id }) => {
    if (typeof id === 'string' && ID.test(id)) ids.add(id);
  });
  return [...ids];
}

/** Whether this is the response to a deletion, which contains no texts. */
export const isDeletion = (value: unknown): boolean => isRecord(value) && value.deleted === true;

/** Removes redacted properties, and everything but the ids of deleted entities, from the JSON. */
export function removeErased(value: unknown, erased: readonly ErasedSince[]): void {
  const byId = new Map(erased.map((one) => [one.id, one]));
  visit(value, (record) => {
    const since = byId.get(String(record.id));
    if (since === undefined || isDeletion(record)) return;
    for (const name of since.isDeleted ? Object.keys(record) : since.fields) {
      if (name === 'id' || !(name in record)) continue;
      if (since.isDeleted) delete record[name];
      else record[name] = blankOf(record[name]);
    }
  });
}

/** A value of the same type without content. */
function blankOf(value: unknown): unknown {
  if (typeof value === 'string') return ERASED;
  if (Array.isArray(value)) return [];
  return isRecord(value) ? {} : null;
}

function visit(value: unknown, act: (record: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, act);
  if (!isRecord(value)) return;
  act(value);
  for (const inner of Object.values(value)) visit(inner, act);
}
