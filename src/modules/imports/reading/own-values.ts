import type { DeclaredField } from '../../../common/declared-field.js';
import { isRecord, sameJson, type JsonRecord } from '../../../common/texts/json.js';
import { fieldValue } from '../items/item-fields.js';
import { withoutGuard, type OwnRow } from '../formats/own-rows.js';
import type { Reading } from './reading.js';

const METADATA = 'metadata.';
const NUMBERS = ['estimate', 'points', 'actual'];
const JSON_VALUES = ['metadata', 'external_ref', 'tags'];

/** The values of a row of a list, compared with the thing as it is. */
export class OwnValues {
  constructor(
    private readonly row: OwnRow,
    private readonly current: JsonRecord,
    private readonly reading: Reading,
  ) {}

  /** The revision of the thing when the list was made; undefined if the list does not have it. */
  get revision(): number | undefined {
    const { revision } = this.row.values;
    const number = typeof revision === 'string' ? Number(revision) : revision;
    return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
  }

  /** Returns the value of a property as in a merge patch; undefined if it does not differ. */
  changed(name: string): unknown {
    const here = this.current[name] ?? null;
    const sent = this.row.isText ? this.parsed(name, String(this.row.values[name])) : this.row.values[name];
    if (sent === undefined || isSame(name, sent, here)) return undefined;
    return name === 'metadata' ? patchBetween(here, sent) : sent;
  }

  /** Returns the values of declared fields that differ, by their keys. */
  changedFields(fields: readonly DeclaredField[]): JsonRecord {
    const { metadata } = this.current;
    const changed: JsonRecord = {};
    for (const name of Object.keys(this.row.values).filter(isFieldColumn)) {
      const { [name]: cell } = this.row.values;
      if (typeof cell !== 'string') continue;
      const key = name.slice(METADATA.length);
      const field = fields.find((each) => each.key === key);
      const here = isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : null;
      if (withoutGuard(cell) === shown(here)) continue;
      const value = field && (cell === '' ? null : this.valueOf(field, withoutGuard(cell)));
      if (value !== undefined) changed[key] = value;
      else this.reading.note('value', name, 'does not fit a declared field; left as it is');
    }
    return changed;
  }

  /** People are shown by their ids, which are checked when they are written; lists of choices can be JSON. */
  private valueOf(field: DeclaredField, cell: string): unknown {
    if (field.type === 'person') return cell;
    if (field.type !== 'choices' || !cell.startsWith('[')) return fieldValue(field, cell, this.reading);
    try {
      return fieldValue(field, JSON.parse(cell), this.reading);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Returns the value of a cell; undefined if it cannot be read. */
  private parsed(name: string, cell: string): unknown {
    const here = this.current[name];
    if (cell === '') return null;
    if (cell === here) return here;
    if (NUMBERS.includes(name)) return this.reading.number(cell, name);
    if (name === 'due_date') return this.reading.dayOrTime(cell, name);
    if (name === 'due_day' || name === 'start_date') return this.reading.day(cell, name);
    const text = withoutGuard(cell);
    const isJson = JSON_VALUES.includes(name) || (typeof here === 'object' && here !== null);
    if (!isJson) return typeof here === 'number' || typeof here === 'boolean' ? plainValue(text) : text;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.reading.note('value', name, 'is not JSON; left as it is');
      return undefined;
    }
  }
}

/** Whether a column has the values of a declared field. */
export const isFieldColumn = (name: string): boolean => name.startsWith(METADATA);

/** A value of metadata as a cell. */
const shown = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function plainValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Whether a value means what the thing has: spreadsheets change line breaks, and instants have several spellings. */
function isSame(name: string, sent: unknown, here: unknown): boolean {
  if (sameJson(sent, here)) return true;
  if (typeof sent !== 'string' || typeof here !== 'string') return false;
  if (name.endsWith('_at') || name === 'due_date') return Date.parse(sent) === Date.parse(here);
  return sent.replaceAll(/\r\n?/g, '\n') === here.replaceAll(/\r\n?/g, '\n');
}

/** Returns the merge patch that makes the second value of the first, for properties on the first level. */
function patchBetween(here: unknown, sent: unknown): unknown {
  if (!isRecord(here) || !isRecord(sent)) return sent;
  const removed = Object.keys(here).filter((name) => !Object.hasOwn(sent, name));
  const changed = Object.entries(sent).filter(([name, value]) => !sameJson(here[name], value));
  return { ...Object.fromEntries(removed.map((name) => [name, null])), ...Object.fromEntries(changed) };
}
