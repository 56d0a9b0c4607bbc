import { Injectable } from '@nestjs/common';
import { keysNamedIn, mayNameKeys } from '../../common/work-keys.js';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { WorkReferencesRepository } from './work-references.repository.js';

/** The kinds whose descriptions or contents name tasks and demands. */
const REFERRING_KINDS = ['task', 'demand', 'comment'];
const MOST_OF_TEXT = 50;
/** The keys of a text among which the nearest are chosen. */
const MOST_NAMED = 500;

/** Keeps which tasks and demands a description or comment names by their keys, when the text is written (spec 14, Keys). */
@Injectable()
export class WorkReferencesService {
  constructor(
    eraser: ContainerEraser,
    textObservers: TextObservers,
    private readonly references: WorkReferencesRepository,
  ) {
    const columns = ['source_id', 'entity_id', 'target_id'];
    eraser.attach({ parts: columns.map((column) => ({ table: 'work_references', column })) });
    textObservers.register(() =>
      Promise.resolve((actor, { kind, entityId, texts }) =>
        actor?.userId && REFERRING_KINDS.includes(kind) && texts.some((text) => text && mayNameKeys(text))
          ? () => this.write(actor.userId, entityId)
          : undefined,
      ),
    );
  }

  /** Stores what the text names now; what it named before is gone with the former text. */
  private async write(authorId: string, sourceId: string): Promise<void> {
    const text = await this.references.textOf(sourceId);
    const keys = text === null ? [] : keysNamedIn(text, MOST_NAMED);
    if (keys.length > 0) await this.references.refer(authorId, sourceId, keys, MOST_OF_TEXT);
  }
}
