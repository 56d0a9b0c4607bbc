import { isRecord } from '../../../../common/texts/json.js';
import type { ImportItem, ImportOptions, ImportRecord } from '../../reading/import-format.js';
import type { ImportFormat } from '../../reading/file-format.js';
import type { ImportNotes } from '../../import-notes.js';
import type { Reading } from '../../reading/reading.js';
import { issues, itemOfIssue, needsOfIssue } from './jira-issues.js';
import { itemOfRow, rows } from './jira-rows.js';
import { beginsWith, peekedFile } from '../long-start.js';

const EXPECTS =
  'the JSON of a search, with issues that have key and fields, or a CSV export with columns such as Summary and Issue key';

/** Reads JSON if the file begins with an object or array, otherwise CSV. */
async function* records(
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const { start, whole } = await peekedFile(file);
  const isJson = beginsWith(start, /^[[{]/);
  if (isJson)
    for (const name of Object.keys(options.mapping ?? {})) notes.add('mapping', name, 'JSON has no columns', null, 0);
  yield* isJson ? issues(whole, EXPECTS, notes) : rows(whole, options, notes);
}

const item = (record: ImportRecord, reading: Reading): ImportItem =>
  isRecord(record.data.fields) ? itemOfIssue(record, reading) : itemOfRow(record, reading);

export const jiraFormat: ImportFormat = {
  source: 'jira',
  hasColumns: true,
  records,
  needs: ({ data }) => (isRecord(data.fields) ? needsOfIssue : []),
  item,
};
