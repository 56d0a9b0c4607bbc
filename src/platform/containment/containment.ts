import type { EntityTarget, ObjectLiteral } from '../database/database.js';
import type { View } from '../database/view.js';
import type { Erasing } from './erasing.js';

/** The lists of an export, in the order of the document (spec 04). */
export const EXPORT_KEYS = [
  'resources',
  'demands',
  'tasks',
  'artifacts',
  'comments',
  'approvals',
  'relations',
  'rituals',
  'ritual_runs',
  'templates',
  'dod_policies',
  'endorsements',
  'dod_checks',
  'changes',
  'endeavours',
] as const;
export type ExportKey = (typeof EXPORT_KEYS)[number];

/** Names, within one statement, what an export is about. */
export interface ExportScope {
  /** SQL for the ids of its endeavours, a `text[]`. */
  endeavours: string;
  /** SQL for the id of its organization; null in the export of an endeavour. */
  organization: string;
  /** SQL for the ids of the organizations that may be named, a `text[]`: its own, and the homes of its endeavours. */
  homes: string;
  /** SQL for whether the entity with that id exists and is in the container, by its entity row. */
  holds(id: string): string;
  /** SQL for whether the entity with that id is in the container, or was when it was deleted. */
  held(id: string): string;
  /** SQL for that id where an export may show it: of what is inside, in one of the homes, or global; else null. */
  nameable(id: string): string;
  /** SQL for the same JSON with null for ids that an export must not contain. */
  withoutOutside(document: string): string;
}

/** What archiving an endeavour does to what is still alive in it. */
export interface ArchiveCascade<E extends ObjectLiteral = ObjectLiteral> {
  entity: EntityTarget<E>;
  /** SQL over the view's alias: which rows are still alive (`t.status IN ('planned', 'active')`). */
  alive: string;
  /** SQL over the view's alias for the endeavour of a row; defaults to the column `endeavour_id`. */
  endeavourId?: string;
  /**
   * What becomes of them; each of these properties must really change. `canceledReason` is ready to be stored as
   * such, `reason` is what the person who archives said.
   */
  changes(canceledReason: string, now: Date, reason: string): Partial<E>;
  /** The event of each of them, such as `task.status_changed`. */
  type: string;
  /** The event of each that is restored, where that is another. */
  undoneType?: string;
  /** Columns, with SQL for their values, that are set anew when one is restored; they are not in the event. */
  resets?: Record<string, string>;
}

/** What one area keeps in endeavours and organizations. */
export interface Containment<E extends ObjectLiteral = ObjectLiteral> {
  /** Where the export shows it; each item is its representation. */
  exportKey: ExportKey;
  view: View;
  /** What the export shows instead of the view, where that is more; under the same alias. */
  exported?: View;
  /**
   * SQL over the view's alias: which rows lie inside. Needed only where that is not what their own entity rows say:
   * where there are none, or where both ends of something must be inside.
   */
  within?(inside: ExportScope): string;
  /** SQL over `v`, an event about such an entity in the container: whether the export contains it. Default: always. */
  changes?(inside: ExportScope): string;
  /** Needed only where archiving ends something; the table must have `revision` and `updated_at`. */
  archiveCascade?: ArchiveCascade<E>;
  /** How it is erased with its container, besides its own row; null if its feature does that itself. */
  erasing?: Omit<Erasing, 'kind' | 'table'> | null;
}
