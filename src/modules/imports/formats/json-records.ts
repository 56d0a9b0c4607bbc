import { JSONParser } from '@streamparser/json';
import { isRecord, type JsonRecord } from '../../../common/json.js';
import { UnreadableFile } from '../import-format.js';
import { beginsWith, withLongStart } from './long-start.js';

/** The maximum size of a record; a record with many comments stays below it. */
const MAX_RECORD = 8 * 1024 * 1024;

/** An object of the file and its path: `$.issues` for the members of that array. */
export interface JsonElement {
  path: string;
  /** Its index in the array, from 1. */
  line: number;
  value: JsonRecord;
}

/** The paths of the wanted objects, for files that are an array and for files that are an object: of lists, or single. */
export interface JsonPaths {
  array: readonly string[];
  object: readonly string[];
}

/**
 * The parser decodes chunk by chunk and drops a U+FEFF at the start of a chunk as a byte order mark.
 */
function keepMarks(parser: JSONParser): void {
  const { bufferedString } = Reflect.get(parser, 'tokenizer') as { bufferedString: { decoder: unknown } };
  bufferedString.decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Yields the objects at these paths (such as `$.issues.*`) and keeps nothing else in memory. */
export async function* jsonElements(file: AsyncIterable<Buffer>, paths: JsonPaths): AsyncGenerator<JsonElement> {
  const found: JsonElement[] = [];
  let parser: JSONParser | undefined;
  let failure: Error | undefined;
  let since = 0;
  const begin = (piece: Buffer): JSONParser => {
    const wanted = beginsWith(piece, /^\[/) ? paths.array : paths.object;
    const begun = new JSONParser({ paths: [...wanted], keepStack: false });
    keepMarks(begun);
    begun.onValue = ({ value, key, stack }) => {
      // Parts of an object that is not complete yet are kept until it is.
      if (!stack.slice(1).some(({ emit }) => emit)) since = 0;
      if (!isRecord(value) || key === undefined) return;
      const path = ['$', ...stack.slice(1).map((each) => String(each.key))].join('.');
      if (typeof key === 'number') found.push({ path, line: key + 1, value });
      else if (paths.object.includes(`${path}.${key}`)) found.push({ path: `${path}.${key}`, line: 1, value });
    };
    begun.onError = (error) => {
      failure = error;
    };
    return begun;
  };
  for await (const piece of withLongStart(file)) {
    since += piece.length;
    const isFirst = parser === undefined;
    parser ??= begin(piece);
    try {
      parser.write(isFirst && piece[0] === 0xef ? piece.subarray(3) : piece);
    } catch (error) {
      failure ??= error as Error;
    }
    if (failure !== undefined) throw new UnreadableFile('The file is not valid JSON.');
    if (since > MAX_RECORD) throw new UnreadableFile('A record of the file is larger than 8 MiB.');
    yield* found.splice(0);
  }
  if (parser?.isEnded !== true) throw new UnreadableFile('The file is not valid JSON: it ends too early.');
  yield* found.splice(0);
}
