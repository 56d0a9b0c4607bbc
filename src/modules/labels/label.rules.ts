import { foldName } from '../../common/texts/fold-name.js';
import type { FieldError } from '../../common/errors.js';
import { fieldError, NO_FIELD_ERRORS } from '../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../platform/http/bodies/fields/text.js';

/** The most labels of a task or demand. */
export const MAX_LABELS = 50;
/** The longest name of a label, in characters. */
export const MAX_LABEL = 100;

/** The pattern of a name, which can stand in a filter between others: no comma, and no ! at its beginning. */
export const LABEL_PATTERN = '^[^!,][^,]*$';
const FORM = new RegExp(LABEL_PATTERN, 's');

/** What a filter calls the absence of labels. */
const NONE = 'none';

/** The errors of a trimmed name of a label. */
export function labelErrors(value: unknown, at: string): readonly FieldError[] {
  const errors = textErrors(value, at, { min: 1, max: MAX_LABEL, isLine: true });
  if (errors.length > 0) return errors;
  const name = value as string;
  if (!FORM.test(name)) return fieldError(at, 'invalid_format', 'must have no comma, and no ! at the beginning.');
  const folded = foldName(name);
  if (folded === NONE)
    return fieldError(at, 'invalid_value', 'must not be none, which stands for no label in filters.');
  return folded === '' ? fieldError(at, 'invalid_text', 'must have visible characters.') : NO_FIELD_ERRORS;
}

/** Whether a label can have that name. */
export const isLabelName = (name: string): boolean => labelErrors(name, '').length === 0;

/** What a patch does to labels: replaces them, removes all (null), or adds some after removing others. */
export type SentLabels = readonly string[] | null | { add?: readonly string[]; remove?: readonly string[] };

/** The names without those that mean an earlier one. */
export const distinctNames = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [foldName(name), name])).values()].toReversed();

/** The names of the labels after a patch. */
export function labelsAfter(current: readonly string[], sent: SentLabels): string[] {
  if (sent === null) return [];
  if (isList(sent)) return distinctNames(sent);
  const removed = new Set((sent.remove ?? []).map(foldName));
  return distinctNames([...current.filter((name) => !removed.has(foldName(name))), ...(sent.add ?? [])]);
}

const isList = (sent: SentLabels): sent is readonly string[] => Array.isArray(sent);

/** Whether both mean the same labels, in any order and spelling. */
export function areSameLabels(one: readonly string[], other: readonly string[]): boolean {
  const folded = new Set(one.map(foldName));
  return folded.size === new Set(other.map(foldName)).size && other.every((name) => folded.has(foldName(name)));
}
