import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { JsonRecord } from '../../common/texts/json.js';
import { lengthOf } from '../../common/texts/text.js';
import { namesWith } from '../../platform/database/views/text-traits.js';
import type { JsonSchema, View } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { Differ } from './differ.js';

/** Properties that are not compared, because they identify a version or differ after every change. */
const IGNORED = ['id', 'version', 'predecessor_id', 'lineage_id', 'created_by', 'created_at', 'updated_at', 'revision'];

/** A changed property with its values, or for a text with a line diff. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
  diff: string | null;
  too_large: boolean;
  from_length: number | null;
  to_length: number | null;
}

const length = (side: string): JsonSchema => ({
  type: ['integer', 'null'],
  description: `For texts: the number of characters of the ${side} text.`,
});

export const fieldChangesSchema = (): JsonSchema => ({
  type: 'array',
  description: 'The properties that differ, in the order of the representation.',
  items: component(
    'FieldChange',
    exactly({
      field: { type: 'string', description: 'The name of the property.' },
      from: { description: 'The earlier value; null for texts.' },
      to: { description: 'The later value; null for texts.' },
      diff: { type: ['string', 'null'], description: 'For texts: the unified diff. Null if too_large is true.' },
      too_large: { type: 'boolean', description: 'Whether the comparison of the texts took more than a second.' },
      from_length: length('earlier'),
      to_length: length('later'),
    }),
  ),
});

/** Compares two states of an entity field by field. */
@Injectable()
export class FieldChanges {
  constructor(private readonly differ: Differ) {}

  /** Returns the changes between two states. */
  async between(user: string, view: View, [from, to]: readonly [JsonRecord, JsonRecord]): Promise<FieldChange[]> {
    const differing = Object.keys(view.fields).filter(
      (name) => !IGNORED.includes(name) && !isDeepStrictEqual(from[name] ?? null, to[name] ?? null),
    );
    const compared = differing
      .filter((name) => namesWith('compared', view).includes(name))
      .map((name) => ({ name, from: textOf(from[name]), to: textOf(to[name]) }));
    const diffs = await this.differ.compare(user, compared);
    return differing.map((field) => {
      const at = compared.findIndex(({ name }) => name === field);
      if (at === -1) return valueChange(field, from[field] ?? null, to[field] ?? null);
      return textChange(field, compared[at].from, compared[at].to, diffs[at]);
    });
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const valueChange = (field: string, from: unknown, to: unknown): FieldChange => ({
  field,
  from,
  to,
  diff: null,
  too_large: false,
  from_length: null,
  to_length: null,
});

const textChange = (field: string, from: string, to: string, diff: string | null): FieldChange => ({
  field,
  from: null,
  to: null,
  diff,
  too_large: diff === null,
  from_length: lengthOf(from),
  to_length: lengthOf(to),
});
