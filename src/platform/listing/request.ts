import type { KeyObject } from 'node:crypto';
import { invalidInput, type FieldCode, type FieldError } from '../../common/errors.js';
import { isCleanText, isLongerThan } from '../../common/texts/text.js';
import { formatError } from '../http/requests/plain-query.js';
import { parseFields, parseView, VIEW_AND_FIELDS } from '../http/requests/selected-fields.js';
import type { ListFormat } from '../http/responses/list-format.js';
import type { SavedQuery } from '../http/requests/query-parameters.js';
import { PAGE_PARAMETERS, takesSeveralKeys } from './parameters.js';
import { areUnknownFieldsIgnored } from '../context/unknown-fields.js';
import { isShort } from './search/contained-text.js';
import { openCursor } from './cursor.js';
import {
  ARCHIVED_VALUES,
  type Archived,
  type Filter,
  type ListDefinition,
  type ListRequest,
  type SortKey,
} from './definition.js';
import { parseFlag, type Parsed } from '../http/requests/parsed.js';
import { SORT_KEYS } from './page-order.js';
import { notSavedIn, SavedParameters } from './saved-parameters.js';

const MOST = 200;
const DEFAULT_LIMIT = 50;
const MAX_OFFSET = 100_000;

/** The parameters that every list has. */
const COMMON = ['limit', 'offset', 'cursor', 'sort', 'fields', 'view', 'count', 'mine', 'admin', 'search', 'archived'];
const COMMON_FLAGS = ['count', 'mine', 'admin'];

/** The name under which cursors of a list in one order are signed. */
export const listName = (definition: ListDefinition, sort: ListRequest['sort']): string => {
  const keys = sort.map(({ name, descending }) => {
    const { signedAs = '' } = Object.hasOwn(definition.sorts, name) ? definition.sorts[name] : {};
    return `${descending ? '-' : ''}${name}${signedAs && ` ${signedAs}`}`;
  });
  return `${definition.view.name} ${keys.join(',')}`;
};

/** Parses the query of a list request; rejects it with all errors at once. */
export function readListRequest(
  definition: ListDefinition,
  query: Record<string, unknown>,
  cursorKey: KeyObject,
  { lenient, format, saved }: Pick<Reading, 'lenient' | 'format' | 'saved'> = {},
): ListRequest {
  return new Reader(definition, query, { cursorKey, lenient, format, saved }).read();
}

/** Reads a query that is saved for later, without parameters that belong to one request. */
export function readSavedQuery(definition: ListDefinition, sent: Record<string, unknown>): ListRequest {
  return new Reader(definition, sent, { refused: notSavedIn(definition) }).read();
}

/** The same for a definition without pages, whose parameters do not come from the query. */
export function readFilters(definition: ListDefinition, sent: Record<string, unknown>): ListRequest {
  return new Reader(definition, sent, {}).read();
}

interface Reading {
  cursorKey?: KeyObject;
  lenient?: boolean;
  format?: ListFormat;
  /** Further parameters, besides those of the query. */
  saved?: SavedQuery;
  /** Parameters that are not accepted although the list has them. */
  refused?: readonly string[];
}

class Reader {
  private readonly fieldErrors: FieldError[] = [];
  private readonly given = new Map<string, string>();
  private readonly saved: SavedParameters;
  private readonly format?: ListFormat;
  private readonly cursorKey?: KeyObject;

  constructor(
    private readonly definition: ListDefinition,
    query: Record<string, unknown>,
    { cursorKey, lenient = false, format, saved = {}, refused = [] }: Reading,
  ) {
    this.format = format;
    this.cursorKey = cursorKey;
    for (const [name, raw] of Object.entries(query)) {
      const filter = Object.hasOwn(definition.filters, name) ? definition.filters[name] : undefined;
      const isKnown = (filter !== undefined || this.isCommon(name)) && !refused.includes(name);
      const isFlag = filter === undefined ? COMMON_FLAGS.includes(name) : filter.isFlag;
      const form = formatError(name, raw, isKnown, lenient);
      if (form !== undefined) this.fieldErrors.push(isKnown ? form : this.unknown(form));
      else if (isKnown && (raw !== '' || isFlag)) this.given.set(name, raw as string);
    }
    this.saved = new SavedParameters(definition, saved, this.given, { isComplete: format !== undefined });
  }

  private unknown(error: FieldError): FieldError {
    return { ...error, message: this.definition.messageFor?.(error.field) ?? error.message };
  }

  private isCommon(name: string): boolean {
    if (name === 'search') return this.definition.search !== undefined;
    if (name === 'archived') return this.definition.isArchived !== undefined;
    return COMMON.includes(name) && !(this.definition.hasNoPages && PAGE_PARAMETERS.includes(name));
  }

  read(): ListRequest {
    const search = this.search();
    const sort = this.sort(search !== undefined);
    const counts = this.flag('count', true);
    const isBrief = search !== undefined && isShort(search);
    const request: ListRequest = {
      limit: this.whole('limit', DEFAULT_LIMIT, 1, Infinity),
      offset: this.whole('offset', 0, 0, MAX_OFFSET),
      sort,
      cursor: this.cursor(sort),
      fields: this.fields(),
      count: counts && !isBrief,
      ...(counts && isBrief && { countsPage: true }),
      mine: this.flag('mine', false),
      archived: this.archived(),
      search,
      filters: this.filters(),
      ...(this.format !== undefined && { format: this.format }),
    };
    if (this.format !== undefined) this.refusePages(this.format);
    this.flag('admin', false);
    if (this.fieldErrors.length > 0) throw invalidInput(this.fieldErrors);
    return { ...request, limit: Math.min(request.limit, MOST) };
  }

  /** A complete list has neither offset nor limit. */
  private refusePages(format: ListFormat): void {
    for (const name of ['limit', 'offset', 'cursor', 'count']) {
      if (this.given.has(name))
        this.addError(name, 'invalid_value', `${name} cannot be used with ${format}, which returns the complete list.`);
    }
  }

  private addError(field: string, code: FieldCode, message: string, allowed?: readonly string[]): void {
    if (this.saved.hasGiven(field)) this.fieldErrors.push(this.saved.errorOf(field, message));
    else this.fieldErrors.push({ field, code, message, ...(allowed && { allowed }) });
  }

  private whole(name: string, absent: number, least: number, most: number): number {
    const raw = this.given.get(name);
    if (raw === undefined) return absent;
    const value = /^\d+$/.test(raw) ? Number(raw) : NaN;
    if (value >= least && value <= most) return value;
    const hint =
      name === 'offset' ? `between 0 and ${MAX_OFFSET}; follow meta.next_cursor to go further` : `${least} or more`;
    this.addError(name, Number.isNaN(value) ? 'invalid_type' : 'out_of_range', `${name} must be an integer, ${hint}.`);
    return absent;
  }

  private flag(name: string, absent: boolean): boolean {
    const raw = this.given.get(name);
    if (raw === undefined) return absent;
    const parsed = parseFlag(raw);
    if ('value' in parsed) return parsed.value as boolean;
    this.addError(name, parsed.code, parsed.message, parsed.allowed);
    return absent;
  }

  private archived(): Archived {
    const raw = this.given.get('archived');
    const value = ARCHIVED_VALUES.find((one) => one === (raw ?? 'false'));
    if (value === undefined)
      this.addError('archived', 'invalid_value', 'archived must be false, true or any.', ARCHIVED_VALUES);
    return value ?? 'false';
  }

  private search(): string | undefined {
    const raw = this.given.get('search')?.trim();
    if (raw === undefined) return undefined;
    if (raw === '') this.addError('search', 'too_short', 'search must have 1 to 200 characters.');
    else if (isLongerThan(raw, 200)) this.addError('search', 'too_long', 'search must have 1 to 200 characters.');
    else if (!isCleanText(raw))
      this.addError('search', 'invalid_text', 'search contains characters that cannot be searched.');
    return raw;
  }

  private sort(isSearch: boolean): SortKey[] {
    const raw = this.given.get('sort') ?? this.definition.defaultSort ?? '-created_at';
    const keys = raw.split(',').map(sortKeyOf);
    const { sorts, search } = this.definition;
    const hasRank = isSearch && search?.relevance !== undefined;
    if (!keys.every(({ name }) => Object.hasOwn(sorts, name) || (hasRank && name === 'relevance'))) {
      const allowed = [...Object.keys(sorts), ...(hasRank ? ['relevance'] : [])];
      this.addError(
        'sort',
        'invalid_value',
        `sort must be one of ${allowed.join(', ')}; prefix it with - for descending order.`,
        allowed,
      );
    } else if (keys.length > 1) {
      const problem = this.problemOfSeveral(keys);
      if (problem !== undefined) this.addError('sort', 'invalid_value', problem);
    }
    return keys;
  }

  private problemOfSeveral(keys: readonly SortKey[]): string | undefined {
    const names = new Set(keys.map(({ name }) => name));
    if (!takesSeveralKeys(this.definition)) return 'This list accepts only one sort key.';
    if (!this.given.has('endeavour_id') && !this.saved.has('endeavour_id'))
      return 'Several sort keys require endeavour_id.';
    if (keys.length > SORT_KEYS.length) return `sort accepts at most ${SORT_KEYS.length} keys.`;
    if (names.size < keys.length) return 'Each sort key can be given only once.';
    return names.has('relevance') ? 'relevance cannot be combined with other sort keys.' : undefined;
  }

  private fields(): ListRequest['fields'] {
    const name = this.given.has('fields') ? 'fields' : 'view';
    const raw = this.given.get(name);
    if (raw === undefined) return undefined;
    if (name === 'fields' && this.given.has('view')) this.addError('view', 'invalid_value', VIEW_AND_FIELDS);
    const { view } = this.definition;
    const parsed = name === 'fields' ? parseFields(view, raw) : parseView(view, raw);
    if ('value' in parsed) return parsed.value as ListRequest['fields'];
    this.addError(name, parsed.code, parsed.message, parsed.allowed);
    return undefined;
  }

  private cursor(sort: ListRequest['sort']): ListRequest['cursor'] {
    const raw = this.given.get('cursor');
    if (raw === undefined) return undefined;
    if (this.given.has('offset')) this.addError('offset', 'invalid_value', 'offset and cursor cannot be combined.');
    const position = this.cursorKey && openCursor(this.cursorKey, listName(this.definition, sort), raw);
    if (position === undefined)
      this.addError('cursor', 'invalid_format', 'cursor does not belong to this list and sort order.');
    return position;
  }

  private filters(): Map<string, unknown> {
    const filters = new Map<string, unknown>();
    for (const [name, filter] of Object.entries(this.definition.filters)) {
      const raw = this.given.get(name);
      if (raw === undefined) continue;
      const parsed = isCleanText(raw) ? filter.parse(raw) : unclean(name);
      if ('value' in parsed) setFilter(filters, name, filter, parsed.value);
      // The same for filters with one value of a closed set; a parameter that does not filter rows has no such meaning.
      else if (isOfClosedSet(filter, parsed) && areUnknownFieldsIgnored()) filters.set(name, []);
      else this.addError(name, parsed.code, parsed.message, parsed.allowed);
    }
    this.fieldErrors.push(...this.saved.narrow(filters));
    return filters;
  }
}

function setFilter(filters: Map<string, unknown>, name: string, filter: Filter, value: unknown): void {
  const rest = filter.spread === undefined ? value : filter.spread(value as never, filters);
  if (rest !== undefined) filters.set(name, rest);
}

const isOfClosedSet = (filter: Filter, { allowed }: { allowed?: readonly string[] }): boolean =>
  allowed !== undefined && filter.isFlag !== true && filter.where !== undefined;

function sortKeyOf(raw: string): SortKey {
  const key = raw.trim();
  // Sorting by relevance is only useful in descending order.
  if (key === 'relevance' || key === '-relevance') return { name: 'relevance', descending: true };
  return { name: key.replace(/^-/, ''), descending: key.startsWith('-') };
}

const unclean = (name: string): Parsed => ({
  code: 'invalid_text',
  message: `${name} contains characters that are not allowed.`,
});
