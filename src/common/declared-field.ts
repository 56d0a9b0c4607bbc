/** The types of the values of declared fields (`spec/14`, Declared fields). */
export const FIELD_TYPES = ['text', 'number', 'day', 'choice', 'choices', 'person', 'url', 'flag'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** The kinds of work that have declared fields. */
export const FIELD_KINDS = ['task', 'demand'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field that an endeavour declares for its tasks and demands, whose values stand in `metadata.<key>`. */
export interface DeclaredField {
  key: string;
  name: string;
  type: FieldType;
  /** The possible values of a `choice` or `choices`, in their order; empty for other types. */
  options: readonly string[];
  /** The kind of work that has it; null for both. */
  applies_to: FieldKind | null;
  /** When a value is required; null for never. */
  required_on: 'create' | null;
  description: string | null;
}

/** The fields that work of that kind has. */
export const fieldsFor = (fields: readonly DeclaredField[] | null | undefined, kind: FieldKind): DeclaredField[] =>
  (fields ?? []).filter(({ applies_to: only }) => only === null || only === kind);
