import { isRecord, type JsonRecord } from './texts/json.js';

/** The metadata key of a task that contains its checklist: a list of items with `text` (or `title`), `checked` and `id`. */
export const CHECKLIST = 'checklist';

/** The form of the ids that the database gives to items; items that clients send can have others. */
const GIVEN_ID = /^[0-9a-f]{12}$/;

const idOf = (item: unknown): string | undefined =>
  isRecord(item) && typeof item.id === 'string' ? item.id : undefined;

/** The property with the text of an item; imports of earlier releases call it `title`. */
const textNameOf = (item: JsonRecord): 'text' | 'title' =>
  item.text === undefined && 'title' in item ? 'title' : 'text';

function textOf(item: unknown): string | undefined {
  const text = isRecord(item) ? item[textNameOf(item)] : undefined;
  return typeof text === 'string' ? text : undefined;
}

const itemsOf = (metadata: JsonRecord): readonly unknown[] => {
  const items = Object.hasOwn(metadata, CHECKLIST) ? metadata[CHECKLIST] : undefined;
  return Array.isArray(items) ? items : [];
};

function withoutGivenId(item: unknown): unknown {
  if (!isRecord(item) || !GIVEN_ID.test(idOf(item) ?? '')) return item;
  const { id: _given, ...rest } = item;
  return rest;
}

/** The items without the ids that the database gave them. */
export const withoutGivenIds = (items: readonly unknown[]): unknown[] => items.map(withoutGivenId);

/** The metadata without the ids that the database gave to the items of its checklist. */
export function withoutItemIds(metadata: JsonRecord): JsonRecord {
  const items = itemsOf(metadata);
  if (items.length === 0) return metadata;
  return { ...metadata, [CHECKLIST]: withoutGivenIds(items) };
}

/** Gives items without an id the ids that items with the same texts had before, in their order. */
export function keepItemIds(before: JsonRecord, after: JsonRecord): JsonRecord {
  const items = itemsOf(after);
  if (items.length === 0) return after;
  const free = idsByText(itemsOf(before), new Set(items.map(idOf)));
  const kept = items.map((item) => {
    const id = isRecord(item) && (item.id ?? null) === null ? free.get(textOf(item))?.shift() : undefined;
    return id === undefined ? item : { ...(item as JsonRecord), id };
  });
  return { ...after, [CHECKLIST]: kept };
}

function idsByText(
  items: readonly unknown[],
  taken: ReadonlySet<string | undefined>,
): Map<string | undefined, string[]> {
  const ids = new Map<string | undefined, string[]>();
  for (const item of items) {
    const [id, text] = [idOf(item), textOf(item)];
    if (id === undefined || text === undefined || taken.has(id)) continue;
    const alike = ids.get(text);
    if (alike === undefined) ids.set(text, [id]);
    else alike.push(id);
  }
  return ids;
}

/** The checklist in which the item with the id is changed; undefined if there is no such item. */
export function checklistWith(
  metadata: JsonRecord,
  id: string,
  { text, ...rest }: { checked?: boolean; text?: string },
): unknown[] | undefined {
  const items = itemsOf(metadata);
  const place = items.findIndex((item) => idOf(item) === id);
  if (place < 0) return undefined;
  const item = items[place] as JsonRecord;
  const changed = { ...item, ...rest, ...(text !== undefined && { [textNameOf(item)]: text }) };
  return items.map((each, index) => (index === place ? changed : each));
}

/** Whether several items of the checklist have the same id. */
export function hasRepeatedIds(metadata: JsonRecord): boolean {
  const ids = itemsOf(metadata)
    .map(idOf)
    .filter((id) => id !== undefined);
  return new Set(ids).size < ids.length;
}
