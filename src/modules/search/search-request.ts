import { invalidField, invalidInput } from '../../common/errors.js';
import { isLongerThan } from '../../common/texts/text.js';
import type { FieldNames, JsonSchema } from '../../platform/database/views/view.js';
import { ANY_ID, idOf } from '../../platform/http/bodies/fields/links.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { fieldsParameter, parseFields } from '../../platform/http/requests/selected-fields.js';
import { ARCHIVED_VALUES, type Archived } from '../../platform/listing/definition.js';
import { includingOnly } from '../../platform/listing/chosen-set.js';
import { idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { parseFlag, type Parsed } from '../../platform/http/requests/parsed.js';
import { CURSOR } from '../../platform/listing/parameters.js';
import { integerParameter } from '../activity/feed/feed-query.js';
import { SEARCH_TYPES, type SearchType } from './search.rules.js';

const MOST = 200;
const DEFAULT = 50;
const MAX_OFFSET = 100_000;
const LONGEST = 200;

/** The properties of a match, in their order. */
const HIT: Record<string, JsonSchema> = {
  type: { type: 'string', enum: [...SEARCH_TYPES], description: 'What the id belongs to.' },
  id: ANY_ID,
  key: { type: ['string', 'null'], description: 'The key of a task or demand; null for others.' },
  title: { type: 'string', description: 'The title or name; the beginning of a comment or message without a subject.' },
  excerpt: {
    type: 'string',
    description:
      'A part of the text, or the title if the text does not match, as HTML: matching words are in `<mark>`, and ' +
      '`&`, `<`, `>`, `"` and `\'` are escaped everywhere, so `<mark>` is always a match and never text.',
    examples: ['Green, with two <mark>coats</mark> &amp; a brush'],
  },
  endeavour_id: { anyOf: [idOf('endeavour'), { type: 'null' }] },
  endeavour_name: { type: ['string', 'null'], description: 'The name of the endeavour.' },
  score: { type: 'number', description: 'How well it matches; higher is better. Only comparable within one response.' },
};

export const hitSchema = (): JsonSchema => exactly(HIT);

const types = oneOfFilter('', SEARCH_TYPES);
const inEndeavour = includingOnly(idFilter('', 'endeavour', 'Only entities in this endeavour.'));
const SELECTABLE = { fields: HIT };

export const SEARCH_PARAMETERS: Record<string, { description: string; schema: JsonSchema; required?: boolean }> = {
  q: {
    description:
      'The text to search for: every word must occur, in any form or as the beginning of a word, without regard to ' +
      'accents and case; "a phrase", -excluded, or. The id of an entity finds this entity, and so does the key of a task or demand; tasks and demands are also ' +
      'found by a part of their title and by their external id.',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST, examples: ['gate'] },
    required: true,
  },
  types: { description: `What to search. ${types.description}`, schema: types.schema },
  endeavour_id: { description: inEndeavour.description, schema: inEndeavour.schema },
  archived: {
    description:
      'Whether to search archived containers: false excludes them, true searches only them, any searches all.',
    schema: { type: 'string', enum: [...ARCHIVED_VALUES], default: 'false' },
  },
  fields: fieldsParameter(SELECTABLE),
  limit: {
    description: `The maximum number of items, 1 to ${MOST}. Larger values are treated as ${MOST}.`,
    schema: { type: 'integer', minimum: 1, default: DEFAULT },
  },
  offset: {
    description: 'The number of items to skip, at most 100,000; use cursor to go further.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET },
  },
  cursor: {
    description: 'The `meta.next_cursor` of the previous page. Cannot be combined with `offset`.',
    schema: CURSOR,
  },
  count: { description: 'Set to false to skip counting; meta.total is then null.', schema: { type: 'boolean' } },
};

const text = (raw: string): Parsed => {
  const value = raw.trim();
  if (value === '') return { code: 'too_short', message: `q must have 1 to ${LONGEST} characters.` };
  if (isLongerThan(value, LONGEST)) return { code: 'too_long', message: `q must have 1 to ${LONGEST} characters.` };
  return { value };
};

const archived = (raw: string): Parsed =>
  (ARCHIVED_VALUES as readonly string[]).includes(raw)
    ? { value: raw }
    : { code: 'invalid_value', message: 'archived must be false, true or any.', allowed: ARCHIVED_VALUES };

const READERS = {
  q: text,
  types: (raw: string) => types.parse(raw),
  endeavour_id: (raw: string) => inEndeavour.parse(raw),
  archived,
  fields: (raw: string) => parseFields(SELECTABLE, raw),
  limit: integerParameter(1, Number.MAX_SAFE_INTEGER, MOST),
  offset: integerParameter(0, MAX_OFFSET),
  cursor: (raw: string): Parsed => ({ value: raw }),
  count: parseFlag,
};

/** A validated search request. */
export interface SearchRequest {
  q: string;
  types: readonly SearchType[];
  endeavourIds?: readonly string[];
  archived: Archived;
  fields?: FieldNames;
  limit: number;
  offset: number;
  cursor?: string;
  count: boolean;
}

/** Reads the query of a search; reports all errors at once. */
export function readSearchRequest(raw: RawQuery): SearchRequest {
  const values = readQuery(raw, READERS);
  const q = values.get('q') as string | undefined;
  if (q === undefined) throw invalidInput([{ field: 'q', code: 'required', message: 'q is required.' }]);
  if (values.has('offset') && values.has('cursor'))
    throw invalidField('offset', 'invalid_value', 'offset and cursor cannot be combined.');
  return {
    q,
    types: (values.get('types') as SearchType[] | undefined) ?? SEARCH_TYPES,
    endeavourIds: values.get('endeavour_id') as string[] | undefined,
    archived: (values.get('archived') as Archived | undefined) ?? 'false',
    fields: values.get('fields') as FieldNames | undefined,
    limit: (values.get('limit') as number | undefined) ?? DEFAULT,
    offset: (values.get('offset') as number | undefined) ?? 0,
    cursor: values.get('cursor') as string | undefined,
    count: (values.get('count') as boolean | undefined) ?? true,
  };
}
