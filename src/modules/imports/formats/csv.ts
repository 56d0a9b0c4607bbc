import { parse } from 'csv-parse';
import { pipeline } from 'node:stream';
import type { JsonRecord } from '../../../common/json.js';
import { RefusedLine, UnreadableFile, ITEMS, type ImportFormat, type ImportItem } from '../import-format.js';
import type { ImportedRelation, ImportOptions, ImportRecord } from '../import-format.js';
import { withLongStart } from './long-start.js';
import { importedDueDate, numberOf, ownOf, personOf, statusOf, textOf, timeOf, titleOf } from './values.js';

/** The fields that a column can be mapped to, besides `metadata.<key>`. */
export const CSV_FIELDS = [
  'id',
  'url',
  'title',
  'description',
  'status',
  'canceled_reason',
  'assignee',
  'author',
  'due_date',
  'estimate',
  'actual',
  'created_at',
  'started_at',
  'ended_at',
  'parent',
  'depends_on',
  'blocks',
  'labels',
] as const;

const MAX_ROW = 1_000_000;
const MAX_COLUMNS = 10_000;
/** Separators can be part of texts, of which a row has less than {@link MAX_ROW}. */
const MAX_SEPARATORS = 50_000;
const TOO_WIDE = `A line of the file has more than ${MAX_COLUMNS} columns, or a quote that is never closed.`;
const PIECE = 16 * 1024;
/** The property that marks a record with more columns than the header; its value is the number of columns. */
export const SURPLUS = ' surplus';

interface Row {
  record: string[];
  info: { records: number; empty_lines: number };
}

/** Decodes UTF-8 without the byte order mark; throws {@link UnreadableFile} if it is invalid. */
async function* decode(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of file) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnreadableFile('The file is not UTF-8.');
  }
}

/** Divides the long start of a file. */
async function* inPieces(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  for (let at = 0; at < first.length; at += PIECE) yield first.slice(at, at + PIECE);
  yield* rest;
}

/** Returns the separator that is most frequent in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"?/g, '').split('\n');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** Yields the rows of a CSV file, each with the header and the line in which it begins. */
export async function* csvRows(
  file: AsyncIterable<Buffer>,
  { delimiter }: ImportOptions,
): AsyncGenerator<{ line: number; header: readonly string[]; cells: readonly string[] }> {
  const pieces = decode(withLongStart(file));
  const { value: first = '' } = await pieces.next();
  const separator = delimiter ?? delimiterOf(first);
  let separators = 0;
  const source = async function* (): AsyncGenerator<string> {
    for await (const text of inPieces(first, pieces)) {
      yield text;
      // The parser has read the text, and its rows have reset the count. It has no limit for rows of empty cells.
      separators += text.split(separator).length - 1;
      if (separators > MAX_SEPARATORS) throw new UnreadableFile(TOO_WIDE);
    }
  };
  const parser = parse({
    delimiter: separator,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
    info: true,
    on_record: (row) => {
      separators = 0;
      return row;
    },
  });
  // Errors of the pipeline are thrown when rows are read.
  pipeline(source, parser, () => undefined);
  let header: readonly string[] | undefined;
  let [line, inside] = [1, 0];
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      if (record.length > MAX_COLUMNS) throw new UnreadableFile(TOO_WIDE);
      // A record can span several lines, because quoted cells can contain line breaks.
      line = info.records + info.empty_lines + inside;
      inside += record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      if (header === undefined) header = record.map((name) => name.trim());
      else yield { line, header, cells: record };
    }
  } catch (error) {
    if (error instanceof UnreadableFile || (error as { code?: string }).code?.startsWith('CSV_') !== true) throw error;
    throw new UnreadableFile(`The file is not valid CSV near line ${line}.`);
  }
}

/** Returns the field of each column: by the mapping of the request or, without one, by the name of the column. */
function fieldsOf(header: readonly string[], { mapping }: ImportOptions): (string | undefined)[] {
  const known = new Set<string>(CSV_FIELDS);
  return header.map((name) => (mapping === undefined ? (known.has(name) ? name : undefined) : ownOf(mapping, name)));
}

async function* records(file: AsyncIterable<Buffer>, options: ImportOptions): AsyncGenerator<ImportRecord> {
  let fields: (string | undefined)[] | undefined;
  for await (const { line, header, cells } of csvRows(file, options)) {
    if (fields === undefined) {
      fields = fieldsOf(header, options);
      if (!fields.includes('title')) throw new UnreadableFile('No column of the file is mapped to title.');
    }
    const data: JsonRecord = {};
    for (const [at, cell] of cells.entries()) {
      const field = fields.at(at);
      if (field !== undefined && cell !== '') data[field] = cell;
    }
    if (cells.length > fields.length) data[SURPLUS] = cells.length;
    yield { line, section: ITEMS, key: textOf(data.id)?.trim() ?? null, data };
  }
}

export function assertNoSurplus(data: JsonRecord): void {
  if (data[SURPLUS] !== undefined) throw new RefusedLine('The line has more columns than the header.');
}

const listOf = (value: unknown): string[] =>
  (textOf(value) ?? '')
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

function relationsOf(data: JsonRecord): ImportedRelation[] {
  return [
    ...listOf(data.parent).map((externalId) => ({ type: 'parent_of' as const, externalId, isIncoming: true })),
    ...listOf(data.depends_on).map((externalId) => ({ type: 'depends_on' as const, externalId })),
    ...listOf(data.blocks).map((externalId) => ({ type: 'blocks' as const, externalId })),
  ];
}

function item({ data, key }: ImportRecord, options: ImportOptions): ImportItem {
  assertNoSurplus(data);
  const labels = listOf(data.labels);
  const own = Object.entries(data).filter(([name]) => name.startsWith('metadata.'));
  return {
    externalId: key,
    url: textOf(data.url),
    title: titleOf(data.title),
    description: textOf(data.description),
    status: statusOf(data.status, options),
    canceledReason: textOf(data.canceled_reason),
    createdAt: timeOf(data.created_at, 'created_at'),
    startedAt: timeOf(data.started_at, 'started_at'),
    endedAt: timeOf(data.ended_at, 'ended_at'),
    dueDate: importedDueDate(data.due_date, 'due_date'),
    estimate: numberOf(data.estimate, 'estimate'),
    actual: numberOf(data.actual, 'actual'),
    author: personOf(data.author),
    assignee: personOf(data.assignee),
    metadata: {
      ...(labels.length > 0 && { labels }),
      ...Object.fromEntries(own.map(([name, value]) => [name.slice('metadata.'.length), value])),
    },
    comments: [],
    relations: relationsOf(data),
  };
}

export const csvFormat: ImportFormat = { source: 'csv', records, item };
