import { distinctNames, isLabelName, MAX_LABELS } from '../../labels/label.rules.js';
import type { ImportItem } from '../reading/import-format.js';
import { quoted, type Reading } from '../reading/reading.js';

/** Moves what cannot be a label of this service to the values that are kept in metadata, and notes it. */
export function withUsableLabels(item: ImportItem | undefined, reading: Reading): ImportItem | undefined {
  if (item?.labels == null) return item;
  const names = distinctNames(item.labels.map((name) => name.trim()).filter(Boolean));
  const labels = names.filter(isLabelName).slice(0, MAX_LABELS);
  const others = names.filter((name) => !labels.includes(name));
  const read = { ...item, labels: labels.length === 0 ? null : labels };
  if (others.length === 0) return read;
  for (const name of others) {
    reading.note('value', 'labels', `${quoted(name)} cannot be a label; kept in metadata.imported.labels`);
  }
  return { ...read, surplus: { ...item.surplus, labels: others } };
}
