import { invalidInput, type FieldError } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { isRecord } from '../../common/json.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { fieldError } from '../../platform/http/fields/field.js';
import { sourceErrors } from '../../platform/http/fields/external-ref.js';
import { jsonObjectErrors } from '../../platform/http/fields.js';
import { readQuery } from '../../platform/http/plain-query.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { parseFlag } from '../../platform/listing/filters.js';
import { CSV_FIELDS } from './formats/csv.js';
import { FORMATS, type FormatName } from './formats/all.js';
import type { ImportOptions } from './import-format.js';

/** The parameters of the request that describe the file. */
export interface ImportParameters {
  format: FormatName;
  /** The target: an endeavour or organization. */
  target: { field: 'endeavour_id' | 'organization_id'; id: string };
  isDryRun: boolean;
  options: ImportOptions;
}

const asSent = (raw: string) => ({ value: raw });

/** Reads the parameters from the query, or from the parts before the file in a form. */
export function parametersOf(query: RawQuery): ImportParameters {
  const sent = readQuery(query, {
    format: asSent,
    endeavour_id: asSent,
    organization_id: asSent,
    mapping: asSent,
    options: asSent,
    dry_run: parseFlag,
  });
  const faults: FieldError[] = [];
  const format = sent.get('format') as FormatName | undefined;
  if (format === undefined) faults.push(...fieldError('format', 'required', 'is required.'));
  else if (!Object.hasOwn(FORMATS, format)) {
    const names = Object.keys(FORMATS);
    faults.push(...fieldError('format', 'invalid_value', `must be one of ${names.join(', ')}.`, names));
  }
  const target = targetOf(sent, format, faults);
  const mapping = jsonOf('mapping', sent.get('mapping'), faults);
  const options = jsonOf('options', sent.get('options'), faults);
  const read = optionsOf(mapping, options, faults);
  if (faults.length > 0 || format === undefined || target === undefined) throw invalidInput(faults);
  const source = read.source ?? FORMATS[format].source;
  return { format, target, isDryRun: sent.get('dry_run') === true, options: { ...read, source } };
}

/** Exactly one of the two targets is required; only exports can be imported into an organization. */
function targetOf(
  sent: ReadonlyMap<string, unknown>,
  format: string | undefined,
  faults: FieldError[],
): ImportParameters['target'] | undefined {
  const { endeavour_id: endeavour, organization_id: organization } = Object.fromEntries(sent) as Record<string, string>;
  if (organization === undefined) {
    if (endeavour === undefined) faults.push(...fieldError('endeavour_id', 'required', 'is required.'));
    else if (!isId('endeavour', endeavour)) {
      faults.push(...fieldError('endeavour_id', 'invalid_format', 'must be the id of an endeavour.'));
    }
    return { field: 'endeavour_id', id: endeavour };
  }
  if (endeavour !== undefined || format !== 'worksmith') {
    const message = 'can be set only for the format worksmith, and not together with endeavour_id.';
    faults.push(...fieldError('organization_id', 'invalid_value', message));
  } else if (!isId('organization', organization)) {
    faults.push(...fieldError('organization_id', 'invalid_format', 'must be the id of an organization.'));
  }
  return { field: 'organization_id', id: organization };
}

function jsonOf(name: string, text: unknown, faults: FieldError[]): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const wrong = jsonObjectErrors(value, name);
    faults.push(...wrong);
    return wrong.length === 0 && isRecord(value) ? value : undefined;
  } catch {
    faults.push(...fieldError(name, 'invalid_format', 'must be a JSON object.'));
    return undefined;
  }
}

const NAMES = ['source', 'people', 'statuses', 'delimiter'];

function optionsOf(
  mapping: Record<string, unknown> | undefined,
  options: Record<string, unknown> = {},
  faults: FieldError[],
): Partial<ImportOptions> {
  const { source, people, statuses, delimiter } = options;
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) faults.push(...fieldError(`options.${name}`, 'unknown_field', 'is not a known field.'));
  }
  if (source !== undefined) faults.push(...sourceErrors(source, 'options.source'));
  if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter.length !== 1)) {
    faults.push(...fieldError('options.delimiter', 'invalid_value', 'must be one character.'));
  }
  eachOf('mapping', mapping, isField, 'must be a field of a task.', faults);
  eachOf('options.people', people, isPerson, 'must be the id of a resource or user.', faults);
  eachOf('options.statuses', statuses, isStatus, `must be one of ${TASK_STATUSES.join(', ')}.`, faults);
  return {
    ...(source !== undefined && { source: source as string }),
    ...(delimiter !== undefined && { delimiter: delimiter as string }),
    ...(mapping !== undefined && { mapping: mapping as Record<string, string> }),
    ...(people !== undefined && { people: people as Record<string, string> }),
    ...(statuses !== undefined && { statuses: statuses as Record<string, TaskStatus> }),
  };
}

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
  faults: FieldError[],
): void {
  if (value === undefined) return;
  if (!isRecord(value)) faults.push(...fieldError(name, 'invalid_type', 'must be an object.'));
  else if (!Object.values(value).every(isRight)) faults.push(...fieldError(name, 'invalid_value', message));
}

const MOST_REFUSALS = 1_000;

/** Reads the page of refusals that is requested. */
export function readPage(query: RawQuery): { after: number; limit: number } {
  const whole = (raw: string) =>
    /^\d{1,15}$/.test(raw)
      ? { value: Number(raw) }
      : { code: 'invalid_type' as const, message: 'Must be a whole number that is not negative.' };
  const sent = readQuery(query, { after: whole, limit: whole });
  const limit = (sent.get('limit') as number | undefined) ?? 200;
  if (limit >= 1)
    return { after: (sent.get('after') as number | undefined) ?? 0, limit: Math.min(limit, MOST_REFUSALS) };
  throw invalidInput(fieldError('limit', 'out_of_range', 'must be 1 or more.'));
}
