import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { newId } from '../../common/ids.js';
import { printable, showsText } from '../../common/text.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { Comment, type CommentedKind } from './comment.entity.js';
import { commentView } from './comment.view.js';
import { CommentsRepository } from './comments.repository.js';

/** A comment from another system. */
export interface ImportedComment {
  /** Generated if absent. */
  id?: string;
  entityType: CommentedKind;
  entityId: string;
  replyToId?: string | null;
  /** Identifies the comment in a repeated import; absent if it is identified in another way. */
  importKey?: string;
  /** Another key by which an earlier version stored the comment. */
  formerImportKey?: string;
  content: string;
  authorId: string;
  createdAt: Date;
  editedAt?: Date | null;
  metadata: Record<string, unknown>;
}

/** Creates comments from an import, without notifying mentioned resources. */
@Injectable()
export class ImportedComments {
  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly comments: CommentsRepository,
    private readonly textObservers: TextObservers,
  ) {}

  /** Creates the comments that have not been imported before, at most 1,000; returns their ids. */
  async createAll(me: Caller, endeavourId: string, comments: readonly ImportedComment[]): Promise<string[]> {
    if (comments.length === 0) return [];
    const existing = await this.comments.importedTo(comments.map(({ entityId }) => entityId));
    const missing = comments.filter(
      ({ entityId, importKey, formerImportKey }) =>
        ![importKey, formerImportKey].some((key) => existing.has(`${entityId} ${key}`)),
    );
    const rows = missing.map(({ importKey, formerImportKey: _former, metadata, ...comment }) => ({
      ...comment,
      id: comment.id ?? newId('comment'),
      showsText: showsText(comment.content),
      replyToId: comment.replyToId ?? null,
      editedAt: comment.editedAt ?? null,
      metadata: importKey === undefined ? metadata : { ...metadata, import_key: importKey },
      updatedAt: comment.editedAt ?? comment.createdAt,
      revision: 1,
    }));
    await this.bulkCreator.createAll(
      me,
      commentView,
      Comment,
      rows.map((row) => ({ row, place: { endeavourId }, title: printable(row.content), parentId: row.entityId })),
    );
    const notify = await this.textObservers.observersOf({ endeavourId });
    for (const { id, content } of rows) await notify(me, { kind: 'comment', entityId: id, texts: [content] })?.();
    return rows.map(({ id }) => id);
  }
}
