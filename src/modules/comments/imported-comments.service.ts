import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { newId } from '../../common/ids.js';
import { printable, showsText } from '../../common/texts/text.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { Comment, type CommentedKind } from './comment.entity.js';
import { commentView } from './comment.view.js';
import { CommentsRepository, type PresentComment } from './comments.repository.js';
import { hashedKey } from './import-keys.js';

export type { PresentComment };

/** A comment from another system. */
export interface ImportedComment {
  /** Generated if absent. */
  id?: string;
  entityType: CommentedKind;
  entityId: string;
  replyToId?: string | null;
  /** Identifies the comment in a repeated import; absent if it is identified in another way. */
  importKey?: string;
  content: string;
  authorId: string;
  createdAt: Date;
  editedAt?: Date | null;
  metadata: Record<string, unknown>;
}

/** Comments that come from an earlier import, by their keys. */
class PresentComments {
  private readonly byKey: ReadonlyMap<string, PresentComment>;

  constructor(comments: readonly PresentComment[]) {
    this.byKey = new Map(comments.map((comment) => [`${comment.entityId} ${comment.key}`, comment]));
  }

  /** The comment on the entity with that key, also if it has been deleted. */
  find(entityId: string, key: string): PresentComment | undefined {
    return this.byKey.get(`${entityId} ${key}`) ?? this.byKey.get(`${entityId} ${hashedKey(key)}`);
  }

  ids(): string[] {
    return [...this.byKey.values()].map(({ id }) => id);
  }
}

/** Creates comments from an import, without notifying mentioned resources. */
@Injectable()
export class ImportedComments {
  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly comments: CommentsRepository,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  /** The comments on these entities that come from an import. */
  async present(entityIds: readonly string[]): Promise<PresentComments> {
    return new PresentComments(entityIds.length === 0 ? [] : await this.comments.importedTo([...new Set(entityIds)]));
  }

  /**
   * Changes the text of a comment, without notifying mentioned resources; returns false if it was edited or deleted since it
   * was read.
   */
  async edit(me: Caller, endeavourId: string, found: PresentComment, content: string): Promise<boolean> {
    const { id } = found;
    const current = await this.comments.lock(id);
    if (current.content !== found.content) return false;
    await this.writer.patch(me, commentView, Comment, {
      current,
      changes: { content, showsText: showsText(content), editedAt: new Date() },
      place: { endeavourId },
      entityChanges: { title: printable(content) },
    });
    await this.textObservers.onTextWritten(me, { kind: 'comment', entityId: id, endeavourId, texts: [content] });
    return true;
  }

  /** Creates comments, at most 1,000; returns their ids. */
  async createAll(me: Caller, endeavourId: string, comments: readonly ImportedComment[]): Promise<string[]> {
    if (comments.length === 0) return [];
    const rows = comments.map(({ importKey, metadata, ...comment }) => ({
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
