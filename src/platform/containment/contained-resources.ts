import { Injectable } from '@nestjs/common';
import type { Actor } from '../events/actor.js';
import { Database } from '../database/database.js';
import { ArchivedStates, type CascadedContainment } from './archived-states.js';
import { ContainerEraser } from './container-eraser.js';
import { changeContainment } from './change.containment.js';
import { EXPORT_KEYS, type Containment, type ExportKey } from './containment.js';
import { listPart, type ExportPart } from './export-part.js';

/** The number of entities of each section that archiving ends; sections without any are absent. */
export type EndingCounts = Partial<Record<ExportKey, number>>;

/** Entities of one section that were ended or restored together. */
export interface EndedBatch {
  section: ExportKey;
  count: number;
}

/** The reason and time of archiving, and the organization that was archived with it, if any. */
export interface EndingCause {
  reason: string;
  now: Date;
  organizationId?: string;
}

/**
 * Registry of the entities that features keep in endeavours and organizations, so that archiving can count and end them
 * and an export can include them, without containers knowing the features.
 *
 * A feature declares them in `x.containment.ts` and registers them in the constructor of its module:
 *
 * export const taskContainment: Containment<Task> = { exportKey: 'tasks', view: taskView, archiveCascade: { ... } };
 * containedResources.register(taskContainment);
 */
@Injectable()
export class ContainedResources {
  private readonly bySection = new Map<ExportKey, Containment>();

  constructor(
    private readonly database: Database,
    private readonly eraser: ContainerEraser,
    private readonly states: ArchivedStates,
  ) {
    this.register(changeContainment(() => this.bySection.values()));
  }

  register<E extends object>(content: Containment<E>): void {
    if (this.bySection.has(content.exportKey))
      throw new Error(`two features use the export section ${content.exportKey}`);
    this.bySection.set(content.exportKey, content);
    const { kind, table } = content.view;
    if (content.erasing !== null) this.eraser.register({ kind, table, ...content.erasing });
  }

  /** The lists of an export, in the order of the document; lists that no feature fills are empty. */
  parts(sections: readonly ExportKey[] = EXPORT_KEYS): ExportPart[] {
    return sections.map((name) => {
      const content = this.bySection.get(name);
      if (content === undefined) return { name, isList: true, queries: [] };
      return listPart(name, content.exported ?? content.view, content.within?.bind(content));
    });
  }

  /** The number of entities that archiving these endeavours would end. */
  async countAlive(endeavourIds: readonly string[]): Promise<EndingCounts> {
    const endings: EndingCounts = {};
    for (const content of this.ended()) {
      const row = await this.database.one<{ alive: number }>(
        `SELECT count(*)::integer AS alive FROM ${content.view.table} ${content.view.alias} WHERE ${aliveIn(content)}`,
        [endeavourIds],
      );
      endings[content.exportKey] = row?.alive ?? 0;
    }
    return endings;
  }

  /**
   * Ends at most that many of them, each with a revision and an event, and stores their states; undefined if none is
   * left. The endeavours are closed to writers, so none is missed.
   */
  async endSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    cause: EndingCause,
    limit: number,
  ): Promise<EndedBatch | undefined> {
    for (const content of this.ended()) {
      const rows = await this.database.query<{ id: string }>(
        `SELECT ${content.view.alias}.id FROM ${content.view.table} ${content.view.alias}
         WHERE ${aliveIn(content)} LIMIT $2 FOR NO KEY UPDATE`,
        [endeavourIds, limit],
      );
      if (rows.length === 0) continue;
      const { reason, now, organizationId } = cause;
      const changes = content.archiveCascade.changes(`Endeavour archived: ${reason}`, now, reason);
      await this.states.keep(actor, content, idsOf(rows), { changes, organizationId });
      return { section: content.exportKey, count: rows.length };
    }
    return undefined;
  }

  /** Restores at most that many of the entities in these endeavours; undefined if none is left. */
  async restoreSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    limit: number,
  ): Promise<EndedBatch | undefined> {
    for (const content of this.ended()) {
      const ids = await this.states.some(content.view.kind, endeavourIds, limit);
      if (ids.length === 0) continue;
      await this.states.restore(actor, content, ids);
      return { section: content.exportKey, count: ids.length };
    }
    return undefined;
  }

  private ended(): CascadedContainment[] {
    const all = EXPORT_KEYS.map((section) => this.bySection.get(section));
    return all.filter((content): content is CascadedContainment => content?.archiveCascade !== undefined);
  }
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).sort();

/** The preview and the archiving share this condition, so that they agree; `$1` is the ids of the endeavours. */
function aliveIn({ view, archiveCascade }: CascadedContainment): string {
  const { endeavourId = `${view.alias}.endeavour_id`, alive } = archiveCascade;
  return `${endeavourId} = ANY($1::text[]) AND ${alive}`;
}
