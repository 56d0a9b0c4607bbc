import type { EntityTarget, ObjectLiteral } from '../database/database.js';
import type { View } from '../database/views/view.js';
import type { Erasing } from './erasing.js';

/** The lists of an export, in the order of the document (spec 04). */
export const EXPORT_KEYS = [
  'resources',
  'iterations',
  'demands',
  'tasks',
  'time_entries',
  'artifacts',
  'views',
  'rules',
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

/** The SQL names of the scope of an export within one statement. */
export interface ExportScope {
  /** SQL for the ids of its endeavours, a `text[]`. */
  endeavours: string;
  /** SQL for the id of its organization; null in the export of an endeavour. */
  organization: string;
  /**
   * SQL for the ids of the organizations that may be named, a `text[]`: the exported one, and the homes of its
   * endeavours.
   */
  homes: string;
  /** SQL for whether the entity with that id exists and is in the container, by its entity row. */
  contains(id: string): string;
  /** SQL for whether the entity with that id is in the container, or was when it was deleted. */
  containsEvenIfDeleted(id: string): string;
  /** SQL for the id if an export may show it (inside the container, in one of the homes, or global), otherwise null. */
  exportableId(id: string): string;
  /** SQL for the same JSON with null for ids that an export must not contain. */
  withoutOutside(document: string): string;
}

/** How archiving an endeavour ends the open entities in it. */
export interface ArchiveCascade<E extends ObjectLiteral = ObjectLiteral> {
  entity: EntityTarget<E>;
  /** SQL over the view's alias: which rows are open (`t.status IN ('planned', 'active')`). */
  alive: string;
  /** SQL over the view's alias for the endeavour of a row; defaults to the column `endeavour_id`. */
  endeavourId?: string;
  /**
   * The changes by which they end; each of these properties must really change. `canceledReason` is ready to be stored,
   * `reason` is the text of the person who archives.
   */
  changes(canceledReason: string, now: Date, reason: string): Partial<E>;
  /** The event of each of them, such as `task.status_changed`. */
  type: string;
  /** The event of a restored entity, if it differs. */
  undoneType?: string;
  /** Columns, with SQL for their values, that are reset on restoring; they are not in the event. */
  resets?: Record<string, string>;
}

/** The entities that one feature keeps in endeavours and organizations. */
export interface Containment<E extends ObjectLiteral = ObjectLiteral> {
  /** The list of the export that contains them; each item is their representation. */
  exportKey: ExportKey;
  view: View;
  /** The view for the export, if it shows more; with the same alias. */
  exported?: View;
  /**
   * SQL over the view's alias: which rows are inside. Needed only if their entity rows do not decide: if there are
   * none, or if both ends of a row must be inside.
   */
  within?(inside: ExportScope): string;
  /** SQL over `v`, an event about such an entity in the container: whether the export contains it. Default: always. */
  changes?(inside: ExportScope): string;
  /** Needed only if archiving ends the entities; the table must have `revision` and `updated_at`. */
  archiveCascade?: ArchiveCascade<E>;
  /** The references to erase besides the row of an entity; null if the container eraser does not erase the entities. */
  erasing?: Omit<Erasing, 'kind' | 'table'> | null;
}
