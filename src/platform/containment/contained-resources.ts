import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import type { Actor } from '../context/actor.js';
import { Database } from '../database/database.js';
import type { View } from '../database/views/view.js';
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

  register<E extends object>(containment: Containment<E>): void {
    if (this.bySection.has(containment.exportKey))
      throw new Error(`two features use the export section ${containment.exportKey}`);
    this.bySection.set(containment.exportKey, containment);
    const { kind, table } = containment.view;
    if (containment.erasing !== null) this.eraser.register({ kind, table, ...containment.erasing });
  }

  /** The view of a kind. */
  viewOf(kind: Kind): View {
    const containment = [...this.bySection.values()].find(({ view }) => view.kind === kind);
    if (containment === undefined) throw new Error(`no feature keeps entities of the kind ${kind} in containers`);
    return containment.view;
  }

  /** The lists of an export, in the order of the document; lists that no feature fills are empty. */
  parts(sections: readonly ExportKey[] = EXPORT_KEYS): ExportPart[] {
    return sections.map((name) => {
      const containment = this.bySection.get(name);
      if (containment === undefined) return { name, isList: true, queries: [] };
      return listPart(name, containment.exported ?? containment.view, containment.within?.bind(containment));
    });
  }

  /** The number of entities that archiving these endeavours would end. */
  async countAlive(endeavourIds: readonly string[]): Promise<EndingCounts> {
    const counts: EndingCounts = {};
    for (const containment of this.withArchiveCascade()) {
      const row = await this.database.one<{ alive: number }>(
        `SELECT count(*)::integer AS alive FROM ${containment.view.table} ${containment.view.alias}
         WHERE ${aliveIn(containment)}`,
        [endeavourIds],
      );
      counts[containment.exportKey] = row?.alive ?? 0;
    }
    return counts;
  }

  /**
   * Ends at most that many open entities, each with a revision and an event, and stores their states; undefined if none
   * is left. The endeavours do not accept writes meanwhile, so none is missed.
   */
  async endSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    cause: EndingCause,
    limit: number,
  ): Promise<EndedBatch | undefined> {
    for (const containment of this.withArchiveCascade()) {
      const rows = await this.database.query<{ id: string }>(
        `SELECT ${containment.view.alias}.id FROM ${containment.view.table} ${containment.view.alias}
         WHERE ${aliveIn(containment)} LIMIT $2 FOR NO KEY UPDATE`,
        [endeavourIds, limit],
      );
      if (rows.length === 0) continue;
      const { reason, now, organizationId } = cause;
      const changes = containment.archiveCascade.changes(`Endeavour archived: ${reason}`, now, reason);
      await this.states.archive(actor, containment, idsOf(rows), { changes, organizationId });
      return { section: containment.exportKey, count: rows.length };
    }
    return undefined;
  }

  /** Restores at most that many of the entities in these endeavours; undefined if none is left. */
  async restoreSome(
    actor: Actor | null,
    endeavourIds: readonly string[],
    limit: number,
  ): Promise<EndedBatch | undefined> {
    for (const containment of this.withArchiveCascade()) {
      const ids = await this.states.findSome(containment.view.kind, endeavourIds, limit);
      if (ids.length === 0) continue;
      await this.states.restore(actor, containment, ids);
      return { section: containment.exportKey, count: ids.length };
    }
    return undefined;
  }

  private withArchiveCascade(): CascadedContainment[] {
    const containments = EXPORT_KEYS.map((section) => this.bySection.get(section));
    return containments.filter((item): item is CascadedContainment => item?.archiveCascade !== undefined);
  }
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).sort();

/** The condition for open entities, which the preview and the archiving share; `$1` is the ids of the endeavours. */
function aliveIn({ view, archiveCascade }: CascadedContainment): string {
  const { endeavourId = `${view.alias}.endeavour_id`, alive } = archiveCascade;
  return `${endeavourId} = ANY($1::text[]) AND ${alive}`;
}
