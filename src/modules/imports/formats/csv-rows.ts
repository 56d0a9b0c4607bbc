import { parse } from 'csv-parse';
import { pipeline } from 'node:stream';
import { UnreadableFile, type ImportOptions } from '../reading/import-format.js';
import { assertNotWide, encodingError } from './encoding.js';
import { withLongStart } from './long-start.js';

const MAX_ROW = 1_000_000;
const MAX_COLUMNS = 10_000;
/** Separators can be part of texts, of which a row has less than {@link MAX_ROW}. */
const MAX_SEPARATORS = 50_000;
const TOO_WIDE = `A line of the file has more than ${MAX_COLUMNS} columns, or a quote that is never closed.`;
const PIECE = 16 * 1024;

interface Row {
  record: string[];
  info: { records: number; empty_lines: number };
}

/** A row of a CSV file, with the header and the line in which it begins. */
export interface CsvRow {
  line: number;
  header: readonly string[];
  /** At most as many as the header has; blank cells beyond it are left out. */
  cells: readonly string[];
  /** Whether the row has values beyond the header, so that its cells may belong to other columns. */
  hasSurplus: boolean;
}

/** Decodes UTF-8 without the byte order mark; throws {@link UnreadableFile} if it is invalid. */
async function* decode(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let piece: Buffer = Buffer.alloc(0);
  let isFirst = true;
  try {
    for await (piece of file) {
      if (isFirst) assertNotWide(piece);
      isFirst = false;
      yield decoder.decode(piece, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? encodingError(piece) : error;
  }
}

/** Divides the long start of a file. */
async function* inPieces(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  for (let at = 0; at < first.length; at += PIECE) yield first.slice(at, at + PIECE);
  yield* rest;
}

/** Returns the separator that is most frequent in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"?/g, '').split(/\r\n|\r|\n/);
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** Matches the line in which spreadsheet programs name the separator. */
const SEPARATOR_LINE = /^\ufeff?sep=(.)(?:\r\n|\r|\n)/i;

/** Yields the rows of a CSV file. Quotes within an unquoted cell are part of its text. */
export async function* csvRows(file: AsyncIterable<Buffer>, { delimiter }: ImportOptions): AsyncGenerator<CsvRow> {
  const pieces = decode(withLongStart(file));
  const { value: start = '' } = await pieces.next();
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(start) ?? [];
  const first = start.slice(separatorLine.length);
  const separator = delimiter ?? named ?? delimiterOf(first);
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
    relax_quotes: true,
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
  const before = separatorLine === '' ? 0 : 1;
  let [line, inside] = [1 + before, 0];
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      if (record.length > MAX_COLUMNS) throw new UnreadableFile(TOO_WIDE);
      // A record can span several lines, because quoted cells can contain line breaks.
      line = info.records + info.empty_lines + inside + before;
      inside += record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
      if (header === undefined) header = record.map((name) => name.trim());
      else if (record.length > header.length) {
        const hasSurplus = record.slice(header.length).some((cell) => cell.trim() !== '');
        yield { line, header, cells: record.slice(0, header.length), hasSurplus };
      } else yield { line, header, cells: record, hasSurplus: false };
    }
  } catch (error) {
    if (error instanceof UnreadableFile || (error as { code?: string }).code?.startsWith('CSV_') !== true) throw error;
    throw new UnreadableFile(
      `The file is not valid CSV near line ${line}: a quote is not closed, or a row is too long.`,
    );
  }
  if (header === undefined) throw new UnreadableFile('The file is empty.');
}
