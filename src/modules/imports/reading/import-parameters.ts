import { invalidInput, type FieldError } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { isRecord } from '../../../common/texts/json.js';
import { TASK_STATUSES } from '../../../common/statuses.js';
import { isLanguageTag, isTimeZone } from '../../../common/time.js';
import { fieldError } from '../../../platform/http/bodies/fields/field.js';
import { sourceErrors } from '../../../platform/http/bodies/fields/external-ref.js';
import { jsonObjectErrors } from '../../../platform/http/bodies/fields.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { parseFlag } from '../../../platform/http/requests/parsed.js';
import { CSV_FIELDS } from '../formats/csv.js';
import { FORMATS, type FormatName } from '../formats/all.js';
import type { ImportOptions } from './import-format.js';
import { dateOrderOf } from '../words/dates.js';
import { LINK_OPTIONS } from '../words/links.js';

/** The parameters of an import. */
export interface ImportParameters {
  format: FormatName;
  /** The target: an endeavour or organization. */
  target: { field: 'endeavour_id' | 'organization_id'; id: string };
  isDryRun: boolean;
  options: ImportOptions;
}

const parseText = (raw: string) => ({ value: raw });

/** Reads the parameters of an import, and reports all errors at once. */
export function importParametersOf(query: RawQuery): ImportParameters {
  const values = readQuery(query, {
    format: parseText,
    endeavour_id: parseText,
    organization_id: parseText,
    mapping: parseText,
    options: parseText,
    dry_run: parseFlag,
  });
  const errors: FieldError[] = [];
  const format = values.get('format') as FormatName | undefined;
  if (format === undefined) errors.push(...fieldError('format', 'required', 'is required.'));
  else if (!Object.hasOwn(FORMATS, format)) {
    const names = Object.keys(FORMATS);
    errors.push(...fieldError('format', 'invalid_value', `must be one of ${names.join(', ')}.`, names));
  }
  const target = targetOf(values, format, errors);
  const mapping = jsonOf('mapping', values.get('mapping'), errors);
  const options = jsonOf('options', values.get('options'), errors);
  const read = optionsOf(mapping, options, errors);
  if (errors.length > 0 || format === undefined || target === undefined) throw invalidInput(errors);
  const source = read.source ?? FORMATS[format].source;
  return { format, target, isDryRun: values.get('dry_run') === true, options: { ...read, source } };
}

/** Requires exactly one of the two targets; only exports can be imported into an organization. */
function targetOf(
  values: ReadonlyMap<string, unknown>,
  format: string | undefined,
  errors: FieldError[],
): ImportParameters['target'] | undefined {
  const { endeavour_id: endeavour, organization_id: organization } = Object.fromEntries(values) as Record<
    string,
    string
  >;
  if (organization === undefined) {
    if (endeavour === undefined) errors.push(...fieldError('endeavour_id', 'required', 'is required.'));
    else if (!isId('endeavour', endeavour)) {
      errors.push(...fieldError('endeavour_id', 'invalid_format', 'must be the id of an endeavour.'));
    }
    return { field: 'endeavour_id', id: endeavour };
  }
  if (endeavour !== undefined || format !== 'worksmith') {
    const message = 'can be set only for the format worksmith, and not together with endeavour_id.';
    errors.push(...fieldError('organization_id', 'invalid_value', message));
  } else if (!isId('organization', organization)) {
    errors.push(...fieldError('organization_id', 'invalid_format', 'must be the id of an organization.'));
  }
  return { field: 'organization_id', id: organization };
}

function jsonOf(name: string, text: unknown, errors: FieldError[]): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const jsonErrors = jsonObjectErrors(value, name);
    errors.push(...jsonErrors);
    return jsonErrors.length === 0 && isRecord(value) ? value : undefined;
  } catch {
    errors.push(...fieldError(name, 'invalid_format', 'must be a JSON object.'));
    return undefined;
  }
}

const NAMES = ['source', 'people', 'statuses', 'resolutions', 'links', 'delimiter', 'date_format', 'timezone'].concat([
  'decimal',
  'language',
  'archived',
]);

/** By option, whether a value is valid, and what it must be. */
const PLAIN_OPTIONS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  delimiter: [(value) => typeof value === 'string' && value.length === 1, 'must be one character.'],
  date_format: [
    (value) => typeof value === 'string' && value.length <= 30 && dateOrderOf(value) !== undefined,
    'must be an order of day, month and year, such as DD/MM/YYYY or MDY.',
  ],
  timezone: [(value) => typeof value === 'string' && isTimeZone(value), 'must be the name of an IANA time zone.'],
  decimal: [(value) => value === '.' || value === ',', 'must be "." or ",".'],
  language: [
    (value) => typeof value === 'string' && isLanguageTag(value) && /^(?:en|de|fr|es|pt|ja)(?:-|$)/i.test(value),
    'must be one of the languages en, de, fr, es, pt and ja, with or without a region.',
  ],
  archived: [(value) => value === 'cancel' || value === 'skip', 'must be cancel or skip.'],
};

function optionsOf(
  mapping: Record<string, unknown> | undefined,
  options: Record<string, unknown> = {},
  errors: FieldError[],
): Partial<ImportOptions> {
  const { source, people, statuses, resolutions, links } = options;
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) errors.push(...fieldError(`options.${name}`, 'unknown_field', 'is not a known field.'));
  }
  if (source !== undefined) errors.push(...sourceErrors(source, 'options.source'));
  for (const [name, [isRight, message]] of Object.entries(PLAIN_OPTIONS)) {
    if (Object.hasOwn(options, name) && !isRight(options[name])) {
      errors.push(...fieldError(`options.${name}`, 'invalid_value', message));
    }
  }
  eachOf('mapping', mapping, isField, 'must be a field of a task.', errors);
  eachOf('options.people', people, isPerson, 'must be the id of a resource or user.', errors);
  eachOf('options.statuses', statuses, isStatus, `must be one of ${TASK_STATUSES.join(', ')}.`, errors);
  eachOf('options.resolutions', resolutions, isOutcome, 'must be done or canceled.', errors);
  eachOf('options.links', links, isLink, `must be one of ${LINK_OPTIONS.join(', ')}.`, errors);
  return { ...(options as Partial<ImportOptions>), ...(mapping && { mapping: mapping as Record<string, string> }) };
}

const isOutcome = (value: unknown): boolean => value === 'done' || value === 'canceled';
const isLink = (value: unknown): boolean => (LINK_OPTIONS as readonly unknown[]).includes(value);
const isField = (value: unknown): boolean =>
  typeof value === 'string' &&
  ((CSV_FIELDS as readonly string[]).includes(value) || /^metadata\..{1,100}$/.test(value));
const isPerson = (value: unknown): boolean => isId('resource', value) || isId('user', value);
const isStatus = (value: unknown): boolean => (TASK_STATUSES as readonly unknown[]).includes(value);

function eachOf(
  name: string,
  value: unknown,
  isRight: (value: unknown) => boolean,
  message: string,
  errors: FieldError[],
): void {
  if (value === undefined) return;
  if (!isRecord(value)) errors.push(...fieldError(name, 'invalid_type', 'must be an object.'));
  else if (!Object.values(value).every(isRight)) errors.push(...fieldError(name, 'invalid_value', message));
}

const MAX_REFUSALS = 1_000;

/** Reads the parameters of a page of refusals. */
export function readPage(query: RawQuery): { after: number; limit: number } {
  const parseCount = (raw: string) =>
    /^\d{1,15}$/.test(raw)
      ? { value: Number(raw) }
      : { code: 'invalid_type' as const, message: 'Must be a whole number that is not negative.' };
  const values = readQuery(query, { after: parseCount, limit: parseCount });
  const limit = (values.get('limit') as number | undefined) ?? 200;
  if (limit >= 1)
    return { after: (values.get('after') as number | undefined) ?? 0, limit: Math.min(limit, MAX_REFUSALS) };
  throw invalidInput(fieldError('limit', 'out_of_range', 'must be 1 or more.'));
}
