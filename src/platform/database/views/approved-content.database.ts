import { namesWith } from './text-traits.js';
import type { View } from './view.js';

type OfRow = (row: 'OLD' | 'NEW') => string;

interface ApprovedParts {
  /** SQL for properties of which an approval covers only a part. */
  parts?: Readonly<Record<string, OfRow>>;
  /** Whether the trigger runs only for statements that name the columns. */
  isByColumn?: boolean;
}

/** The trigger that records changes of the `approved` properties of a view, after which its approvals are stale. */
export function contentTrigger(view: View, { parts = {}, isByColumn = false }: ApprovedParts = {}): string {
  const { table } = view;
  const columns = namesWith('approved', view).filter((name) => !Object.hasOwn(parts, name));
  const columnsOf: OfRow[] = columns.map((name) => (row) => `${row}.${name}`);
  const contentOf: OfRow = (row) => [...columnsOf, ...Object.values(parts)].map((sqlOf) => sqlOf(row)).join(', ');
  const event = isByColumn ? `UPDATE OF ${columns.join(', ')}` : 'UPDATE';
  return `CREATE TRIGGER ${table}_keep_content_changes BEFORE ${event} ON ${table} FOR EACH ROW
      WHEN ((${contentOf('OLD')}) IS DISTINCT FROM (${contentOf('NEW')})) EXECUTE FUNCTION keep_content_changes()`;
}
