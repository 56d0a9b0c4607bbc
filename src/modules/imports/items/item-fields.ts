import type { DeclaredField } from '../../../common/declared-field.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { isMissing, valueErrors } from '../../endeavours/fields/field-values.rules.js';
import { textOf } from '../formats/values.js';
import type { ImportItem } from '../reading/import-format.js';
import type { Reading } from '../reading/reading.js';

const YES = ['true', 'yes', '1', 'checked'];
const NO = ['false', 'no', '0', 'unchecked'];

/**
 * The item with the values of metadata that declared fields of the endeavour take, under the keys of the fields. What does
 * not fit its field is kept in metadata.imported, with a note. Other metadata stays as it is.
 */
export function withDeclaredFields(item: ImportItem | undefined, reading: Reading): ImportItem | undefined {
  if (item === undefined || !reading.hasFields) return item;
  const metadata: JsonRecord = {};
  const surplus: JsonRecord = {};
  for (const [name, value] of Object.entries(item.metadata)) {
    const field = reading.field(name);
    if (field === undefined) metadata[name] = value;
    else {
      const read = isMissing(value) ? null : fieldValue(field, value, reading);
      if (read !== undefined) metadata[field.key] = read;
      else {
        surplus[name] = value;
        reading.note('value', name, `does not fit the field ${field.key}; kept in metadata.imported`);
      }
    }
  }
  return { ...item, metadata, surplus: { ...item.surplus, ...surplus } };
}

/** The value of a field that a value of a file means; undefined if it means none. People are known by ids alone. */
export function fieldValue(field: DeclaredField, value: unknown, reading: Reading): unknown {
  const read = valueOf(field, value, reading);
  return read === undefined || valueErrors(field, read, field.key).length > 0 ? undefined : read;
}

function valueOf(field: DeclaredField, value: unknown, reading: Reading): unknown {
  const text = plainTextOf(value)?.trim();
  switch (field.type) {
    case 'number':
      return reading.number(typeof value === 'number' ? value : text, field.name);
    case 'day':
      return reading.day(text, field.name);
    case 'flag':
      return flagOf(value, text);
    case 'choice':
      return text === undefined ? undefined : optionOf(field, text);
    case 'choices': {
      const options = textsOf(value).map((each) => optionOf(field, each));
      return options.includes(undefined) ? undefined : [...new Set(options)];
    }
    case 'person':
      return undefined;
    default:
      return text === '' ? undefined : text;
  }
}

const flagOf = (value: unknown, text = ''): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const folded = text.toLowerCase();
  return YES.includes(folded) ? true : NO.includes(folded) ? false : undefined;
};

const optionOf = ({ options }: DeclaredField, text: string): string | undefined =>
  options.find((option) => option === text) ?? options.find((option) => foldName(option) === foldName(text));

/** The text of a value, or of an object that stands for one, such as a chosen option. */
const plainTextOf = (value: unknown): string | undefined => {
  if (!isRecord(value)) return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
  return textOf(value.value) ?? textOf(value.name) ?? textOf(value.displayName);
};

const textsOf = (value: unknown): string[] => {
  const texts = Array.isArray(value)
    ? value.map((each) => plainTextOf(each) ?? '')
    : (plainTextOf(value) ?? '').split(/[,;\n]/);
  return texts.map((text) => text.trim()).filter((text) => text !== '');
};
