import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { forbidden, invalidField, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import { isId, newId } from '../../common/ids.js';
import { printable, showsText } from '../../common/texts/text.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { changedValues } from '../../platform/database/columns/columns.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeMetadata } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { Listing } from '../../platform/listing/listing.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { WatchesService } from '../watches/watches.service.js';
import type { CreateCommentDto, UpdateCommentDto } from './comment.dto.js';
import { Comment } from './comment.entity.js';
import { commentList, commentTextList } from './comment.list.js';
import { commentThreadView, commentView } from './comment.view.js';
import { CommentsRepository } from './comments.repository.js';
import { hashedKey } from './import-keys.js';
import { MentionsService } from './mentions.service.js';

/** Creates, edits, deletes and lists comments. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly access: Access,
    private readonly comments: CommentsRepository,
    private readonly eventEraser: EventEraser,
    private readonly listing: Listing,
    private readonly mentions: MentionsService,
    private readonly textObservers: TextObservers,
    private readonly watches: WatchesService,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, commentList, query);
  }

  /** Returns the comment with its replies, even if it is deleted; 404 if its entity is not visible. */
  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, commentThreadView, id, { decider: 'c.entity_id', fields });
  }

  async create(me: Caller, dto: CreateCommentDto): Promise<Representation> {
    const { entity_type: entityType, entity_id: entityId, content, metadata } = dto;
    if (!isId(entityType, entityId)) {
      throw invalidField('entity_id', 'invalid_format', `entity_id must be the id of an entity of type ${entityType}.`);
    }
    const [target, observersOf] = await Promise.all([
      this.access.lockReference(me, 'comments_create', 'entity_id', entityId),
      this.textObservers.observersOf({ parentId: entityId }),
    ]);
    const replyToId = await this.threadOf(dto.reply_to_id, entityId);
    const mentions = await this.mentions.find(me, content, target.place);
    this.access.assertWritable(target);
    const id = newId('comment');
    const notifyObservers = observersOf(me, { kind: 'comment', entityId: id, texts: [content] });
    const watching = this.watches.begin(entityId, [me.resourceId, ...mentions]);
    const creating = this.writer.create(me, commentView, Comment, {
      row: {
        id,
        entityType,
        entityId,
        replyToId,
        content,
        metadata,
        showsText: showsText(content),
        authorId: me.resourceId,
      },
      place: target.place,
      title: printable(content),
      parentId: entityId,
      event: { audience: mentions },
      isLast: notifyObservers === undefined && mentions.length === 0,
    });
    const [comment] = await Promise.all([creating, watching]);
    await this.mentions.notify(me, { id, entityId, content, place: target.place }, mentions);
    await notifyObservers?.();
    return comment.with({ replies: [] });
  }

  async update(me: Caller, id: string, dto: UpdateCommentDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'comments_update', Comment, id);
    const { row, place } = locked;
    if (row.authorId !== me.resourceId) throw forbidden('to be the author of the comment');
    const metadata = mergeMetadata(row.metadata, dto.metadata);
    const changes = changedValues<Comment>(row, { content: dto.content, metadata });
    const content = changes.content ?? undefined;
    const mentions = await this.mentions.find(me, content ?? '', place);
    this.access.assertWritable(locked);
    if (Object.keys(changes).length === 0) return this.get(me, id);
    await this.writer.patch(me, commentView, Comment, {
      current: row,
      changes: {
        ...changes,
        ...(content !== undefined && { showsText: showsText(content) }),
        editedAt: new Date(),
      },
      place,
      entityChanges: { title: content && printable(content) },
      audience: mentions,
    });
    if (content !== undefined) {
      await this.watches.begin(row.entityId, mentions);
      await this.mentions.notify(me, { id, entityId: row.entityId, content, place }, mentions);
      await this.textObservers.onTextWritten(me, {
        kind: 'comment',
        entityId: id,
        endeavourId: place.endeavourId,
        texts: [content],
      });
    }
    return this.get(me, id);
  }

  async remove(me: Caller, id: string): Promise<void> {
    const locked = await this.access.lockForUpdate(me, 'comments_delete', Comment, id);
    if (locked.row.authorId !== me.resourceId && locked.rank < 3) {
      throw forbidden('to be the author of the comment or an admin of its container');
    }
    this.access.assertWritable(locked);
    await this.eraseCopies(locked.row);
    const deleted = { deletedAt: new Date(), content: null, metadata: keptMetadata(locked.row) };
    await this.writer.remove(me, commentView, Comment, locked.row, locked.place, deleted, 'Deleted comment');
  }

  /** Lists the earlier texts of a comment for admins of its container; 404 for a deleted comment. */
  async history(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(commentTextList, query);
    const entityId = await this.comments.entityIdOf(id);
    if (entityId === undefined) throw notFound();
    await this.access.authorize(me, 'comments_history_list', entityId);
    const earlier: ListDefinition = { ...commentTextList, baseCondition: ({ bind }) => `h.comment_id = ${bind(id)}` };
    return this.listing.pageOf(me, earlier, request);
  }

  /** Erases the texts of the comment everywhere except in its own row. */
  private async eraseCopies({ id, content }: Comment): Promise<void> {
    await this.eventEraser.unlocked(async () => {
      const earlier = await this.comments.deleteEarlierTexts(id);
      await this.textObservers.eraseCopies(id, [content, ...earlier]);
    });
  }

  /** Returns the first comment of the thread: threads have one level, so a reply to a reply gets the same parent. */
  private async threadOf(commentId: string | undefined, entityId: string): Promise<string | null> {
    if (commentId === undefined) return null;
    const thread = await this.comments.threadOf(commentId, entityId);
    if (thread === undefined) throw invalidInput([referenceNotFound('reply_to_id')]);
    return thread;
  }
}

/** What is kept of the metadata of a deleted comment, for later imports. No response shows it. */
const keptMetadata = ({ metadata: { import_key: key } }: Comment): Record<string, unknown> =>
  typeof key === 'string' ? { import_key: hashedKey(key) } : {};
