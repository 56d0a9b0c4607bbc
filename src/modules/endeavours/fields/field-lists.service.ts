import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { FIELD_KINDS, fieldsFor } from '../../../common/declared-field.js';
import { isId } from '../../../common/ids.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { CSV_TYPE } from '../../../platform/http/responses/csv.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Filter, ListDefinition, Sort } from '../../../platform/listing/definition.js';
import { withExpression } from '../../../platform/listing/expression-filter.js';
import { fieldFilters, fieldSort, type ListedField } from './field-filters.view.js';
import { FieldValuesRepository } from './field-values.repository.js';

const PREFIX = 'metadata.';
/** The parameters whose values can name fields. */
const NAMING = ['sort', 'filter'];

type Sent = Readonly<Record<string, unknown>>;

/** Adds the declared fields of an endeavour to the parameters of lists of its tasks or demands, and to their columns in CSV. */
@Injectable()
export class FieldLists {
  constructor(
    private readonly access: Access,
    private readonly values: FieldValuesRepository,
  ) {}

  /**
   * The list with the fields of the one endeavour that the request names, if the caller sees it. Requests that name no
   * field, and want no CSV, cost nothing.
   */
  async listFor(
    me: Caller,
    list: ListDefinition,
    { query, saved = {}, format }: Pick<RawQuery, 'query' | 'saved' | 'format'>,
  ): Promise<ListDefinition> {
    const isNamed = namesFields(query) || namesFields(saved);
    if (!isNamed && format !== CSV_TYPE) return list;
    const endeavourId = query.endeavour_id ?? saved.endeavour_id;
    const kind = FIELD_KINDS.find((each) => each === list.view.kind);
    if (!isId('endeavour', endeavourId) || kind === undefined) return { ...list, messageFor: NEEDS_ENDEAVOUR };
    const endeavour = await this.access.find(me, endeavourId);
    const fields = fieldsFor(endeavour?.fields, kind);
    const pending = isNamed && fields.length > 0 ? await this.values.pendingKeys(endeavourId) : [];
    const listed = fields.map((field): ListedField => ({
      field,
      endeavourId,
      kind,
      row: list.view.alias,
      isPending: pending.includes(field.key),
    }));
    return { ...withFields(list, listed), messageFor: UNDECLARED };
  }
}

/** Whether a query or a saved one names a field, or what would be one. */
export const namesFields = (sent: Sent): boolean =>
  Object.entries(sent).some(
    ([name, value]) =>
      name.startsWith(PREFIX) || (NAMING.includes(name) && typeof value === 'string' && value.includes(PREFIX)),
  );

const messageAbout =
  (message: (name: string) => string) =>
  (name: string): string | undefined =>
    name.startsWith(PREFIX) ? message(name) : undefined;

const NEEDS_ENDEAVOUR = messageAbout(
  (name) => `${name} needs endeavour_id with one endeavour, whose declared fields are meant.`,
);
const UNDECLARED = messageAbout(
  (name) => `${name} names no declared field of the endeavour; .min and .max are possible for numbers and days.`,
);

function withFields(list: ListDefinition, listed: readonly ListedField[]): ListDefinition {
  const { filter: _, ...plain } = list.filters;
  const added = Object.assign({}, ...listed.map(fieldFilters)) as Record<string, Filter>;
  const sorts = listed.flatMap((one): [string, Sort][] => {
    const sort = fieldSort(one);
    return sort === undefined ? [] : [[PREFIX + one.field.key, sort]];
  });
  return {
    ...list,
    filters: withExpression({ ...plain, ...added }),
    sorts: { ...list.sorts, ...Object.fromEntries(sorts) },
    columns: Object.fromEntries(
      listed.map(({ field: { key } }) => [PREFIX + key, ({ metadata }: JsonRecord) => valueIn(metadata, key)]),
    ),
  };
}

const valueIn = (metadata: unknown, key: string): unknown =>
  isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : null;
