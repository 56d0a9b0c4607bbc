import type { EntityTarget, ObjectLiteral } from '../database/database.js';
import type { View } from '../database/view.js';

/** The lists of an export, in the order of the document (spec 04). */
export const SECTIONS = [
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
export type Section = (typeof SECTIONS)[number];

/** Names, within one statement, what an export is about. */
export interface Inside {
  /** SQL for the ids of its endeavours, a `text[]`. */
  endeavours: string;
  /** SQL for the id of its organization; null in the export of an endeavour. */
  organization: string;
  /** SQL: whether the living thing with that id lies inside, as its entity row says. */
  holds(id: string): string;
}

/** What archiving an endeavour does to what is still alive in it. */
export interface Ending<E extends ObjectLiteral = ObjectLiteral> {
  entity: EntityTarget<E>;
  /** SQL over the view's alias: which rows are still alive (`t.status IN ('planned', 'active')`). */
  alive: string;
  /** SQL over the view's alias: the endeavour that a row lies in; its column `endeavour_id` where nothing is said. */
  endeavourId?: string;
  /**
   * What becomes of them; each of these properties must really change. `canceledReason` is ready to be stored as
   * such, `reason` is what the person who archives said.
   */
  changes(canceledReason: string, now: Date, reason: string): Partial<E>;
  /** The event of each of them, such as `task.status_changed`. */
  type: string;
}

/** What one area keeps in endeavours and organizations. */
export interface Content<E extends ObjectLiteral = ObjectLiteral> {
  /** Where the export shows it; each item is its representation. */
  section: Section;
  view: View;
  /** What the export shows instead of the view, where that is more; under the same alias. */
  exported?: View;
  /**
   * SQL over the view's alias: which rows lie inside. Needed only where that is not what their own entity rows say:
   * where there are none, or where both ends of something must be inside.
   */
  within?(inside: Inside): string;
  /** Needed only where archiving ends something; the table must have `revision` and `updated_at`. */
  ending?: Ending<E>;
}
