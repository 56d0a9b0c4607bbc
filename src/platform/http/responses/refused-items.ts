import { ApiError, type FieldError } from '../../../common/errors.js';
import type { JsonSchema } from '../../database/views/view.js';
import { describeDetails } from '../openapi/refusals.js';
import { component, exactly } from '../openapi/schemas.js';

/** The errors that can refuse an item of a request that writes all of its items or none. */
export const ITEM_REFUSALS = ['invalid_input', 'forbidden', 'conflict', 'archived', 'in_progress'] as const;

/** Errors that are not about one item; they end the request at once. */
const OF_THE_REQUEST: readonly string[] = ['unavailable', 'internal_error', 'rate_limited', 'unauthorized'];

const orNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

const REFUSED: JsonSchema = {
  type: 'array',
  items: component(
    'RefusedItem',
    exactly({
      index: { type: 'integer', description: 'The position of the item in the body, from 0.' },
      code: { type: 'string', description: 'The code of the error with which it is refused.' },
      reason: orNull('The `details.reason` of that error, if it has one.'),
      field: orNull('With `invalid_input`: the path of the invalid field.'),
      message: { type: 'string', description: 'Why it is refused.' },
    }),
  ),
  description: 'With requests that write all items of a list or none: every item that is refused, in their order.',
};

for (const code of ITEM_REFUSALS) describeDetails(code, { refused: REFUSED });

interface Refusal {
  index: number;
  error: ApiError;
}

/** An entry of `details.refused`. */
interface RefusedItem {
  index: number;
  code: string;
  reason: string | null;
  field: string | null;
  message: string;
}

/** How a list of items is processed. */
interface ItemOptions<T> {
  /** The name of the list in the body. */
  list: string;
  /** The items are processed in the order of these keys, so that concurrent requests lock the same rows in one order. */
  orderBy?: (item: T, index: number) => string;
}

/**
 * Checks every item, also after one is refused; then rejects the request with one error, which has the code of the first
 * refused item and names all of them. The check must not write, because a failed statement would end the transaction.
 */
export async function checkEachItem<T, R>(
  items: readonly T[],
  options: ItemOptions<T>,
  check: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const refusals: Refusal[] = [];
  for (const index of orderOf(items, options)) {
    try {
      results[index] = await check(items[index], index);
    } catch (error) {
      if (!isOfItem(error)) throw error;
      refusals.push({ index, error });
    }
  }
  if (refusals.length > 0) throw errorOf(refusals, items.length, options.list);
  return results;
}

/** Writes every item; the error of the first that the database refuses names it. */
export async function writeEachItem<T, R>(
  items: readonly T[],
  options: ItemOptions<T>,
  write: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const index of orderOf(items, options)) {
    try {
      results[index] = await write(items[index], index);
    } catch (error) {
      throw isOfItem(error) ? errorOf([{ index, error }], items.length, options.list) : error;
    }
  }
  return results;
}

const isOfItem = (error: unknown): error is ApiError =>
  error instanceof ApiError && !OF_THE_REQUEST.includes(error.code);

function orderOf<T>(items: readonly T[], { orderBy }: ItemOptions<T>): number[] {
  const order = items.map((_, index) => index);
  if (orderBy === undefined) return order;
  const keys = items.map(orderBy);
  return order.toSorted((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
}

function errorOf(refusals: Refusal[], total: number, list: string): ApiError {
  const sorted = refusals.toSorted((a, b) => a.index - b.index);
  const [{ index, error }] = sorted;
  const refused = sorted.flatMap((refusal) => refusedItemsOf(refusal, list));
  const fields = sorted.flatMap((refusal) => fieldsOf(refusal, list));
  const first = refused[0].field === null ? `${list}.${index}: ${error.message}` : refused[0].message;
  const message = refused.length === 1 ? first : `${sorted.length} of ${total} ${list} are refused; first: ${first}`;
  const details = { ...error.details, ...(error.code === 'invalid_input' && { fields }), refused };
  return new ApiError(error.code, message, details, error.retryAfter);
}

function refusedItemsOf({ index, error }: Refusal, list: string): RefusedItem[] {
  const { code, details, message } = error;
  const reason = typeof details?.reason === 'string' ? details.reason : null;
  const fields = fieldsOf({ index, error }, list);
  if (fields.length === 0) return [{ index, code, reason, field: null, message }];
  return fields.map((one) => ({ index, code, reason, field: one.field, message: one.message }));
}

/** The invalid fields of an item, with their paths in the body. */
function fieldsOf({ index, error }: Refusal, list: string): FieldError[] {
  const at = `${list}.${index}.`;
  return ((error.details?.fields ?? []) as FieldError[]).map((one) => ({
    ...one,
    field: at + one.field,
    message: one.message.startsWith(one.field) ? at + one.message : one.message,
  }));
}
