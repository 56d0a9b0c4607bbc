import type { Kind } from '../../common/kinds.js';
import { invalidField, invalidInput, type FieldError } from '../../common/errors.js';
import { kindOf } from '../../common/ids.js';
import { withArticle } from '../../common/texts/text.js';

/** The kinds that a relation can connect. */
export const RELATED_KINDS = [
  'task',
  'demand',
  'endeavour',
  'organization',
  'resource',
  'user',
  'artifact',
  'ritual',
  'template',
  'dod_policy',
  'comment',
  'approval',
] as const satisfies readonly Kind[];
export type RelatedKind = (typeof RELATED_KINDS)[number];

/** The two ends of a relation in a body. */
export interface Ends {
  source_entity_type: RelatedKind;
  source_entity_id: string;
  target_entity_type: RelatedKind;
  target_entity_id: string;
}

/** Rejects ids of another type than stated, and relations of an entity with itself. */
export function assertEnds(ends: Ends): void {
  const errors = (['source', 'target'] as const).flatMap((end): FieldError[] => {
    const field = `${end}_entity_id` as const;
    const kind = ends[`${end}_entity_type`];
    if (kindOf(ends[field]) === kind) return [];
    return [{ field, code: 'invalid_format', message: `${field} must be the id of ${withArticle(kind)}.` }];
  });
  if (errors.length > 0) throw invalidInput(errors);
  if (ends.source_entity_id === ends.target_entity_id) {
    throw invalidField('target_entity_id', 'invalid_value', 'An entity cannot be related to itself.');
  }
}
