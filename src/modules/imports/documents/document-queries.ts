import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { recordOf } from '../formats/values.js';
import { RefusedLine } from '../reading/import-format.js';
import type { DocumentContext } from './document-context.js';
import { pick } from './document-items.js';

const VIEW_FIELDS = ['name', 'kind', 'columns', 'group_by', 'is_default'];

/** Converts a record to a body of POST /views, whose query names the imported entities. */
export const viewBody = (data: JsonRecord, context: DocumentContext): JsonRecord => ({
  ...pick(data, VIEW_FIELDS),
  query: Object.fromEntries(
    Object.entries(recordOf(data.query)).map(([name, value]) => [name, importedParameter(name, value, context)]),
  ),
});

/** Converts a record to a body of POST /rules, whose filter and actions name the imported entities. */
export const ruleBody = (data: JsonRecord, context: DocumentContext, endeavourId: string): JsonRecord => ({
  ...pick(data, ['name', 'on']),
  endeavour_id: endeavourId,
  filter: Object.fromEntries(
    Object.entries(recordOf(data.filter)).map(([name, value]) => [name, importedParameter(name, value, context)]),
  ),
  actions: withImportedIds(data.actions, context),
});

/** The value with the ids of the imported entities. */
function withImportedIds(value: unknown, context: DocumentContext): unknown {
  if (typeof value === 'string') return value.replaceAll(ID, (record) => context.find(record)?.id ?? record);
  if (Array.isArray(value)) return value.map((item) => withImportedIds(item, context));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withImportedIds(item, context)]));
}

/** Without a parameter that names something outside of the file, the view would list more. */
function importedParameter(name: string, value: unknown, context: DocumentContext): unknown {
  if (typeof value === 'string') return value.replaceAll(ID, (record) => context.find(record)?.id ?? record);
  if (value !== null) return value;
  throw new RefusedLine(
    `query.${name} refers to something that is not in the file.`,
    'invalid_input',
    'reference_not_found',
  );
}

const ID = /[a-z]{3}_[0-9a-f]{32}/g;

/** The ids in the query of a view, or in the filter and the actions of a rule. */
export const idsInQuery = ({ query, filter, actions }: JsonRecord): string[] => [
  ...Object.values({ ...recordOf(query), ...recordOf(filter) }).flatMap(idsIn),
  ...(Array.isArray(actions) ? idsIn(JSON.stringify(actions)) : []),
];

const idsIn = (value: unknown): string[] => (typeof value === 'string' ? (value.match(ID) ?? []) : []);
