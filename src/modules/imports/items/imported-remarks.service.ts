import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { newId } from '../../../common/ids.js';
import {
  ImportedComments,
  type ImportedComment,
  type PresentComment,
} from '../../comments/imported-comments.service.js';
import type { ImportedRemark } from '../reading/import-format.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import type { ItemBatch, ReadLine } from './item-batch.js';
import { contentError, lineRefusalOf } from '../reading/line-refusals.js';
import { pastOf } from '../reading/past-times.js';
import { printOf, type SourceValues } from '../reading/source-values.js';

/** A comment of the file on a task, with its keys in a repeated import. */
interface Remark {
  read: ReadLine;
  remark: ImportedRemark;
  comment: ImportedComment;
}

const CONTENT = 'content';
const DELETED = 'deleted here since the last import; left out';
const EDITED = 'edited here since the last import; left as it is';
const FOREIGN =
  'changed in the source; only its author or an administrator can import the change, so it is left as it is';

/** Imports the comments of items: creates new ones, and changes those whose text changed in the source. */
@Injectable()
export class ImportedRemarks {
  constructor(
    private readonly comments: ImportedComments,
    private readonly sources: ImportSourcesRepository,
  ) {}

  /** Returns the ids of the comments that were created and changed; a dry run only counts them. */
  async importAll(
    me: Caller,
    batch: ItemBatch,
    taskIds: ReadonlyMap<ReadLine, string>,
  ): Promise<{ created: string[]; changed: string[] }> {
    const { containerId: endeavourId, isDryRun } = batch.state;
    const remarks = [...taskIds].flatMap(([read, id]) => remarksOf(me, batch, read, id));
    const present = await this.comments.present(remarks.map(({ comment }) => comment.entityId));
    const find = ({ remark, comment: { entityId } }: Remark) =>
      present.find(entityId, keyOf(remark)) ??
      (remark.formerKey === undefined ? undefined : present.find(entityId, remark.formerKey));
    const former = await this.sources.valuesOf(present.ids());
    const missing: ImportedComment[] = [];
    const values = new Map<string, SourceValues>();
    for (const remark of remarks) {
      const found = find(remark);
      if (found === undefined) missing.push(remark.comment);
      else if (await this.change(me, batch, remark, found, former.get(found.id))) {
        values.set(found.id, { [CONTENT]: printOf(remark.comment.content) });
      }
    }
    const changed = [...values.keys()];
    if (isDryRun) return { created: missing.map(({ importKey }) => importKey ?? ''), changed };
    await this.sources.store(values);
    return { created: await this.comments.createAll(me, endeavourId, missing), changed };
  }

  /** Changes the text if it changed in the source, and not here; returns whether it did. */
  private async change(
    me: Caller,
    { notes, state }: ItemBatch,
    { read: { line }, comment }: Remark,
    found: PresentComment,
    former: SourceValues | undefined,
  ): Promise<boolean> {
    const note = (message: string): false => {
      notes.add('kept', 'comments', message, line.line);
      return false;
    };
    if (found.isDeleted) return note(DELETED);
    if (found.content === comment.content) return false;
    // Only an import that changed the text has stored it; before that, every edit was made here.
    const isEdited = former === undefined ? found.isEdited : former[CONTENT] !== printOf(found.content);
    if (isEdited) return note(EDITED);
    if (!me.isAdmin && found.authorId !== me.resourceId) return note(FOREIGN);
    if (state.isDryRun) return true;
    return (await this.comments.edit(me, state.containerId, found, comment.content)) ? true : note(EDITED);
  }
}

function remarksOf(me: Caller, { people, refusals }: ItemBatch, read: ReadLine, taskId: string): Remark[] {
  return read.item.comments.flatMap((remark) => {
    const { author, content, createdAt } = remark;
    if (content.trim() === '') return [];
    const originalAuthor = me.isAdmin && author !== undefined ? people.resourceOf(author) : undefined;
    const error = contentError(content);
    if (error !== undefined) {
      refusals.push(lineRefusalOf(read.line, error));
      return [];
    }
    const comment = {
      id: newId('comment'),
      entityType: 'task' as const,
      entityId: taskId,
      importKey: keyOf(remark),
      content,
      authorId: originalAuthor ?? me.resourceId,
      createdAt: pastOf(createdAt) ?? new Date(),
      metadata: { imported: author === undefined ? {} : { author: author.name ?? author.login ?? '' } },
    };
    return { read, remark, comment };
  });
}

const keyOf = ({ key, author, createdAt, content }: ImportedRemark): string =>
  key === '' ? `${createdAt ?? content.slice(0, 100)};${author?.login ?? author?.name ?? ''}` : key;
