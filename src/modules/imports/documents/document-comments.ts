import type { JsonRecord } from '../../../common/texts/json.js';
import { jsonObjectErrors } from '../../../platform/http/bodies/fields.js';
import type { ImportedComment } from '../../comments/imported-comments.service.js';
import { textOf } from '../formats/values.js';
import { RefusedLine } from '../reading/import-format.js';
import { validBodyOf, contentError } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import * as items from './document-items.js';

const COMMENTED = ['task', 'demand', 'endeavour', 'artifact', 'ritual'] as const;

/** Returns the endeavour of the entity that the comment is about; rejects comments on entities outside of endeavours. */
export function containerOfComment(data: JsonRecord, context: DocumentContext): string {
  items.enumValueOf(data.entity_type, COMMENTED, 'entity_type');
  context.referenceOf(data, 'entity_id');
  const containerId = context.find(textOf(data.entity_id) ?? '')?.endeavourId;
  if (typeof containerId === 'string') return containerId;
  if (context.state.isDryRun) return context.state.containerId;
  throw new RefusedLine('Only comments in endeavours are imported.');
}

/** Reads a comment with that id. Rejects deleted comments, which have no text. */
export function commentOf(
  data: JsonRecord,
  context: DocumentContext,
  containerId: string,
  id: string,
): ImportedComment {
  const content = textOf(data.content);
  const error = content === undefined ? new RefusedLine('The comment has no text.') : contentError(content);
  if (error !== undefined) throw error;
  const names = context.namesOf(data, containerId, { author: { property: 'author_id', isAuthor: true } });
  const metadata = items.metadataOf(data, names);
  return {
    id,
    entityType: items.enumValueOf(data.entity_type, COMMENTED, 'entity_type'),
    entityId: context.referenceOf(data, 'entity_id') ?? '',
    replyToId: context.optionalReferenceOf(data, 'reply_to_id'),
    content: content ?? '',
    authorId: context.authorOf(data, 'author_id', containerId),
    createdAt: items.createdAtOf(data),
    editedAt: items.pastTimeOf(data, 'edited_at'),
    metadata: validBodyOf({ dto: metadata, fieldErrors: jsonObjectErrors(metadata, 'metadata') }),
  };
}
