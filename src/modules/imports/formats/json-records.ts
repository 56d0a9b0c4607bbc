import { JSONParser, TokenType, type TokenParser, type Tokenizer } from '@streamparser/json';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { UnreadableFile } from '../reading/import-format.js';
import { assertNotWide, encodingError } from './encoding.js';
import { CONTENTS } from './file-shape.js';
import { JsonLimits } from './json-limits.js';
import { beginsWith, withLongStart } from './long-start.js';

/** The maximum size of a record, which a record with many comments does not reach. */
const MAX_RECORD = 8 * 1024 * 1024;
/** The maximum number of values in a record, each of which costs more time and memory than its bytes tell. */
const MAX_VALUES = 100_000;

/** An object of the file with its path, such as `$.issues` for the elements of that array. */
interface JsonElement {
  path: string;
  /** The index of the object in the array, from 1. */
  line: number;
  value: JsonRecord;
}

/** The paths of the objects to read, for files that are an array and for files that are an object. */
interface JsonPaths {
  array: readonly string[];
  object: readonly string[];
  /** The paths of the parts of a selected object that has any number of them. */
  parts?: readonly string[];
}

/** Keeps U+FEFF at the start of chunks, which the parser's own decoder would drop as a byte order mark. */
function keepByteOrderMarks(parser: JSONParser): void {
  const { bufferedString } = Reflect.get(parser, 'tokenizer') as { bufferedString: { decoder: unknown } };
  bufferedString.decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** The state of the parser in which the next token is a value. */
const BEFORE_VALUE = 0;

/** Calls back with each property of the object of the file: its plain value, null if empty, or {@link CONTENTS}. */
function watchProperties(parser: JSONParser, onProperty: (name: string, value: unknown) => void): void {
  const tokenizer = Reflect.get(parser, 'tokenizer') as Tokenizer;
  const tokenParser = Reflect.get(parser, 'tokenParser') as TokenParser;
  const { stack } = tokenParser as unknown as { stack: unknown[] };
  let opened: string | undefined;
  tokenizer.onToken = (info) => {
    const { state, key } = tokenParser as unknown as { state: number; key: unknown };
    const { token, value } = info;
    if (opened !== undefined) {
      const isEmpty = token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;
      onProperty(opened, isEmpty ? null : CONTENTS);
      opened = undefined;
    }
    if (stack.length === 1 && state === BEFORE_VALUE && typeof key === 'string') {
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) opened = key;
      else onProperty(key, value);
    }
    tokenParser.write(info);
  };
}

/** Yields the objects at these paths (such as `$.issues.*`), without keeping the rest of the file in memory. */
export async function* jsonElements(
  file: AsyncIterable<Buffer>,
  paths: JsonPaths,
  onProperty: (name: string, value: unknown) => void = () => undefined,
): AsyncGenerator<JsonElement> {
  const elements: JsonElement[] = [];
  let parser: JSONParser | undefined;
  let failure: Error | undefined;
  let bytesOfRecord = 0;
  const limits = new JsonLimits();
  const createParser = (piece: Buffer): JSONParser => {
    const selected = beginsWith(piece, /^\[/) ? paths.array : paths.object;
    const created = new JSONParser({ paths: [...selected, ...(paths.parts ?? [])], keepStack: false });
    keepByteOrderMarks(created);
    watchProperties(created, onProperty);
    created.onValue = ({ value, key, stack }) => {
      // A value within a selected object does not complete the object, so the count goes on.
      const isWithinSelected = stack.slice(1).some(({ emit }) => emit);
      if (!isWithinSelected) bytesOfRecord = 0;
      if (!isWithinSelected || paths.parts !== undefined) limits.startRecord();
      if (isWithinSelected && paths.parts !== undefined) return;
      if (!isRecord(value) || key === undefined) return;
      const path = ['$', ...stack.slice(1).map((level) => String(level.key))].join('.');
      if (typeof key === 'number') elements.push({ path, line: key + 1, value });
      else if (paths.object.includes(`${path}.${key}`)) elements.push({ path: `${path}.${key}`, line: 1, value });
    };
    created.onError = (error) => {
      failure = error;
    };
    return created;
  };
  for await (const piece of withLongStart(file)) {
    bytesOfRecord += piece.length;
    const isFirst = parser === undefined;
    if (isFirst) assertNotWide(piece);
    parser ??= createParser(piece);
    try {
      for (const part of limits.partsOf(isFirst && piece[0] === 0xef ? piece.subarray(3) : piece)) parser.write(part);
    } catch (error) {
      failure ??= error as Error;
    }
    if (failure instanceof UnreadableFile) throw failure;
    if (failure !== undefined) throw jsonError(failure, piece);
    if (bytesOfRecord > MAX_RECORD) throw new UnreadableFile('A record of the file is larger than 8 MiB.');
    if (limits.values > MAX_VALUES) {
      throw new UnreadableFile(`A record of the file has more than ${MAX_VALUES} values.`);
    }
    yield* elements.splice(0);
  }
  if (parser?.isEnded !== true) throw new UnreadableFile('The file is not valid JSON: it ends too early.');
  yield* elements.splice(0);
}

/** Names what the file is instead, as far as it can be told. */
function jsonError(failure: Error, piece: Buffer): UnreadableFile {
  if (failure instanceof TypeError || (failure as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return encodingError(piece);
  }
  const isPage = beginsWith(piece, /^</);
  return new UnreadableFile(isPage ? 'The file is a web page or XML, not JSON.' : 'The file is not valid JSON.');
}
