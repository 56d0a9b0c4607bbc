import type { ImportFormat } from '../../reading/file-format.js';
import type { ImportItem, ImportOptions, ImportRecord } from '../../reading/import-format.js';
import type { ImportNotes } from '../../import-notes.js';
import type { Reading } from '../../reading/reading.js';
import { issues, itemOfLinearIssue } from './linear-issues.js';
import { itemOfLinearRow, rows } from './linear-rows.js';
import { beginsWith, peekedFile } from '../long-start.js';

const EXPECTS =
  'the response of a query for issues with identifier, title and state, an array of such responses, or a CSV export with ' +
  'columns such as ID, Title and Status';

/** Reads JSON if the file begins with an object or array, otherwise CSV. */
async function* records(
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const { start, whole } = await peekedFile(file);
  const isJson = beginsWith(start, /^[[{]/);
  if (isJson) {
    for (const name of Object.keys(options.mapping ?? {})) notes.add('mapping', name, 'JSON has no columns', null, 0);
  }
  yield* isJson ? issues(whole, EXPECTS, notes) : rows(whole, options, notes);
}

/** Cells of rows are arrays; the properties of issues are not. */
const isRow = ({ data }: ImportRecord): boolean => Object.values(data).every(Array.isArray);

const item = (record: ImportRecord, reading: Reading): ImportItem =>
  isRow(record) ? itemOfLinearRow(record, reading) : itemOfLinearIssue(record, reading);

export const linearFormat: ImportFormat = { source: 'linear', hasColumns: true, records, item };
