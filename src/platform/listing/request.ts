import type { KeyObject } from 'node:crypto';
import { invalidInput, type FieldCode, type FieldFault } from '../../common/errors.js';
import { isCleanText, lengthOf } from '../../common/text.js';
import { openCursor } from './cursor.js';
import type { ListDefinition, ListRequest, Parsed } from './definition.js';
import { parseFlag } from './filters.js';

const MOST = 200;
const DEFAULT_LIMIT = 50;
const MOST_OFFSET = 100_000;

/** The parameters that every list has. */
const COMMON = ['limit', 'offset', 'cursor', 'sort', 'count', 'mine', 'admin', 'search'];

/** The name under which cursors of a list in one order are sealed. */
export const listName = (definition: ListDefinition, sort: ListRequest['sort']): string =>
  `${definition.view.name} ${sort.descending ? '-' : ''}${sort.name}`;

/** Reads the query of a list request; refuses it with every fault at once. */
export function readListRequest(
  definition: ListDefinition,
  query: Record<string, unknown>,
  cursorKey: KeyObject,
  { lenient = false } = {},
): ListRequest {
  return new Reader(definition, query, cursorKey, lenient).read();
}

class Reader {
  private readonly faults: FieldFault[] = [];
  private readonly given = new Map<string, string>();

  constructor(
    private readonly definition: ListDefinition,
    query: Record<string, unknown>,
    private readonly cursorKey: KeyObject,
    lenient: boolean,
  ) {
    for (const [name, raw] of Object.entries(query)) {
      const isKnown = name in definition.filters || (COMMON.includes(name) && (name !== 'search' || definition.search));
      if (typeof raw !== 'string') this.fault(name, 'unknown_field', `${name} may be given once only.`);
      else if (isKnown) this.given.set(name, raw);
      else if (!lenient) this.fault(name, 'unknown_field', `${name} is no parameter of this list.`);
    }
  }

  read(): ListRequest {
    const search = this.search();
    const sort = this.sort(search !== undefined);
    const request: ListRequest = {
      limit: this.whole('limit', DEFAULT_LIMIT, 1, Infinity),
      offset: this.whole('offset', 0, 0, MOST_OFFSET),
      sort,
      cursor: this.cursor(sort),
      count: this.flag('count', true),
      mine: this.flag('mine', false),
      search,
      filters: this.filters(),
    };
    this.flag('admin', false);
    if (this.faults.length > 0) throw invalidInput(this.faults);
    return { ...request, limit: Math.min(request.limit, MOST) };
  }

  private fault(field: string, code: FieldCode, message: string, allowed?: readonly string[]): void {
    this.faults.push({ field, code, message, ...(allowed && { allowed }) });
  }

  private whole(name: string, absent: number, least: number, most: number): number {
    const raw = this.given.get(name);
    if (raw === undefined) return absent;
    const value = /^\d{1,12}$/.test(raw) ? Number(raw) : NaN;
    if (value >= least && value <= most) return value;
    const hint = name === 'offset' ? `0 to ${MOST_OFFSET}; follow meta.next_cursor to go further` : `${least} or more`;
    this.fault(name, Number.isNaN(value) ? 'invalid_type' : 'out_of_range', `${name} takes an integer, ${hint}.`);
    return absent;
  }

  private flag(name: string, absent: boolean): boolean {
    const raw = this.given.get(name);
    if (raw === undefined) return absent;
    const parsed = parseFlag(raw);
    if ('value' in parsed) return parsed.value as boolean;
    this.fault(name, parsed.code, parsed.message, parsed.allowed);
    return absent;
  }

  private search(): string | undefined {
    const raw = this.given.get('search')?.trim();
    if (raw === undefined) return undefined;
    if (lengthOf(raw) < 2) this.fault('search', 'too_short', 'search takes 2 to 200 characters.');
    else if (lengthOf(raw) > 200) this.fault('search', 'too_long', 'search takes 2 to 200 characters.');
    else if (!isCleanText(raw)) this.fault('search', 'invalid_text', 'search has characters that cannot be searched.');
    return raw;
  }

  private sort(isSearch: boolean): ListRequest['sort'] {
    const raw = this.given.get('sort') ?? this.definition.defaultSort ?? '-created_at';
    const sort = { name: raw.replace(/^-/, ''), descending: raw.startsWith('-') };
    const hasRank = isSearch && this.definition.search?.relevance !== undefined;
    const allowed = [...Object.keys(this.definition.sorts), ...(hasRank ? ['relevance'] : [])];
    if (!allowed.includes(sort.name)) {
      this.fault('sort', 'invalid_value', `sort takes ${allowed.join(', ')}, with - for descending.`, allowed);
    }
    // Best first is the only order in which relevance is worth reading.
    return sort.name === 'relevance' ? { name: 'relevance', descending: true } : sort;
  }

  private cursor(sort: ListRequest['sort']): ListRequest['cursor'] {
    const raw = this.given.get('cursor');
    if (raw === undefined) return undefined;
    if (this.given.has('offset')) this.fault('offset', 'invalid_value', 'offset and cursor do not go together.');
    const position = openCursor(this.cursorKey, listName(this.definition, sort), raw);
    if (position === undefined)
      this.fault('cursor', 'invalid_format', 'cursor was not made for this list in this order.');
    return position;
  }

  private filters(): Map<string, unknown> {
    const filters = new Map<string, unknown>();
    for (const [name, filter] of Object.entries(this.definition.filters)) {
      const raw = this.given.get(name);
      if (raw === undefined) continue;
      const parsed = isCleanText(raw) ? filter.parse(raw) : unclean(name);
      if ('value' in parsed) filters.set(name, parsed.value);
      else this.fault(name, parsed.code, parsed.message, parsed.allowed);
    }
    return filters;
  }
}

const unclean = (name: string): Parsed => ({
  code: 'invalid_text',
  message: `${name} has characters that are not allowed.`,
});
