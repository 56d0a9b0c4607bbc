import { UnreadableFile } from '../reading/import-format.js';

/**
 * The levels of a file that are parsed. Everything deeper is left out, so that the parser does not spend time and memory
 * on it; the record around it is still too deep to be imported, and becomes a refusal of the report.
 */
const MAX_LEVELS = 64;
/** Longer than any number that a double could hold. */
const MAX_NUMBER = 1_000;
/** Objects with more properties are hash tables, whose growth and enumeration block the process. */
const MAX_PROPERTIES = 10_000;

const ARRAY = -1;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The bytes that a number can have; an exponent is at most as long as the digits after it. */
const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === MINUS || byte === PLUS || byte === POINT || byte === 0x45 || byte === 0x65;

/** Measures a JSON file before its parser sees it, chunk by chunk. Invalid JSON is left to the parser. */
export class JsonLimits {
  /** The number of values and names since the last {@link startRecord}. */
  values = 0;
  private level = 0;
  /** The number of properties of the open object of each level, after the first; -1 for arrays. */
  private readonly properties = new Int32Array(MAX_LEVELS + 1);
  private digits = 0;
  private isInString = false;
  private isEscaped = false;

  startRecord(): void {
    this.values = 0;
  }

  /** Returns the parts of the chunk that the parser has to see; throws {@link UnreadableFile} for endless numbers. */
  partsOf(piece: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    let start = this.level > MAX_LEVELS ? -1 : 0;
    for (let at = 0; at < piece.length; at++) {
      if (this.isInString) {
        at = this.endOfString(piece, at);
        continue;
      }
      const byte = piece[at];
      if (isOfNumber(byte)) {
        if (++this.digits > MAX_NUMBER) throw new UnreadableFile(TOO_LONG);
        continue;
      }
      this.digits = 0;
      if (byte === QUOTE) this.isInString = true;
      else if (byte === COMMA) this.countItem();
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        this.open(byte === OPEN_BRACE);
        if (this.level === MAX_LEVELS + 1) {
          parts.push(piece.subarray(start, at + 1));
          start = -1;
        }
      } else if ((byte === CLOSE_BRACKET || byte === CLOSE_BRACE) && --this.level === MAX_LEVELS) start = at;
    }
    if (start !== -1) parts.push(piece.subarray(start));
    return parts;
  }

  private open(isObject: boolean): void {
    if (++this.level > MAX_LEVELS) return;
    this.values++;
    this.properties[this.level] = isObject ? 0 : ARRAY;
  }

  private countItem(): void {
    if (this.level > MAX_LEVELS) return;
    this.values++;
    if (this.properties[this.level] === ARRAY) return;
    if (++this.properties[this.level] >= MAX_PROPERTIES) {
      throw new UnreadableFile(`An object of the file has more than ${MAX_PROPERTIES} properties.`);
    }
  }

  /** Returns the position of the quote that ends the string, or the end of the chunk. */
  private endOfString(piece: Buffer, start: number): number {
    for (let at = start; at < piece.length; at++) {
      if (this.isEscaped) this.isEscaped = false;
      else if (piece[at] === BACKSLASH) this.isEscaped = true;
      else if (piece[at] === QUOTE) {
        this.isInString = false;
        return at;
      }
    }
    return piece.length;
  }
}

const TOO_LONG = `A number of the file has more than ${MAX_NUMBER} digits.`;
