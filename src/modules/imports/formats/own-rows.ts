import { isId } from '../../../common/ids.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { ITEMS, RefusedLine, UnreadableFile, type ImportRecord } from '../reading/import-format.js';
import type { CsvRow } from './csv-rows.js';
import { encodingError } from './encoding.js';

/** The kinds whose lists can come back, by the prefixes of their ids. */
export const OWN_KINDS = ['task', 'demand', 'artifact'] as const;
export type OwnKind = (typeof OWN_KINDS)[number];

/** The property of a record that is a row of a list of this service; its value has the columns. */
const OWN = ' own';
/** Marks the columns of CSV, which are texts; those of NDJSON have types. */
const IS_TEXT = ' text';

/** A row of a list of this service. */
export interface OwnRow {
  id: string;
  kind: OwnKind;
  /** Whether the values are texts of CSV cells. */
  isText: boolean;
  values: JsonRecord;
}

export const ownKindOf = (id: unknown): OwnKind | undefined => OWN_KINDS.find((kind) => isId(kind, id));

export const isOwnRow = (data: JsonRecord): boolean => Object.hasOwn(data, OWN);

/** Returns the record of a CSV row that has the id of a thing of this service; undefined for others. */
export function ownCsvRecord({ line, header, cells, hasSurplus }: CsvRow): ImportRecord | undefined {
  const id = cells.at(header.indexOf('id'))?.trim();
  if (!header.includes('id') || ownKindOf(id) === undefined || hasSurplus) return undefined;
  const values = Object.fromEntries(header.slice(0, cells.length).map((name, at) => [name, cells[at]]));
  return { line, section: ITEMS, key: id ?? null, data: { [OWN]: values, [IS_TEXT]: true } };
}

export function ownRowOf({ data, key }: ImportRecord): OwnRow {
  const values = data[OWN];
  const kind = ownKindOf(key);
  if (!isRecord(values) || kind === undefined || key === null) {
    throw new RefusedLine(`The line has no id of a ${OWN_KINDS.join(', ')} of this service.`);
  }
  return { id: key, kind, isText: data[IS_TEXT] === true, values };
}

/** Whether a file is a list of this service, as CSV with ids or as NDJSON, and not an export. */
export function isOwnList(start: Buffer): boolean {
  const [line] = start
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/\r\n|\r|\n/);
  if (!/^[[{]/.test(line)) return /(?:^|[,;\t"])id(?:$|[,;\t"])/.test(line);
  try {
    return ownKindOf((JSON.parse(line) as JsonRecord).id) !== undefined;
  } catch {
    return false;
  }
}

const MAX_LINE = 1_000_000;

/** Yields the rows of a list as NDJSON: a JSON object in each line. */
export async function* ownJsonRecords(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [rest, number] = ['', 0];
  const recordsIn = function* (lines: readonly string[]): Generator<ImportRecord> {
    for (const text of lines) {
      number += 1;
      if (text.trim() === '') continue;
      const value = parsed(text, number);
      const id = typeof value.id === 'string' ? value.id : null;
      yield { line: number, section: ITEMS, key: id, data: { [OWN]: value } };
    }
  };
  for await (const piece of file) {
    try {
      rest += decoder.decode(piece, { stream: true });
    } catch {
      throw encodingError(piece);
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new UnreadableFile(`Line ${number + lines.length + 1} is longer than 1 MB.`);
    yield* recordsIn(lines);
  }
  yield* recordsIn([rest]);
}

function parsed(text: string, line: number): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The error is the same for JSON that is no object.
  }
  throw new UnreadableFile(`Line ${line} is not a JSON object; a list as NDJSON has one in each line.`);
}

/** Returns the text of a cell without the apostrophe that keeps spreadsheets from evaluating it. */
export const withoutGuard = (cell: string): string => cell.replace(/^'(?=\s*[=+\-@\t\r＝＋－＠])/, '');
