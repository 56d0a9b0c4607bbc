import type { FieldError } from '../../common/errors.js';
import { isCleanText } from '../../common/texts/text.js';
import type { SavedQuery } from '../http/requests/query-parameters.js';
import type { Filter, ListDefinition } from './definition.js';
import { addCondition, narrow } from './expression-filter.js';

/** Parameters that concern the whole list; those of a request replace `limit` and `sort`. */
const OF_THE_LIST = ['limit', 'sort', 'mine', 'search', 'archived'];

/** The values with which a parameter restricts nothing. */
const WIDEST: ReadonlyMap<string, readonly string[]> = new Map([
  ['archived', ['any']],
  ['mine', ['false', '0']],
]);

/** Parameters that belong to one request. */
const OF_ONE_REQUEST = ['offset', 'cursor', 'count', 'view', 'admin'];

/** The parameters of the list that a saved query cannot have. */
export function notSavedIn({ filters }: ListDefinition): string[] {
  const modifiers = Object.values(filters).map(({ modifier }) => modifier);
  const others = Object.keys(filters).filter((name) => filters[name].where === undefined && !modifiers.includes(name));
  return [...OF_ONE_REQUEST, ...others];
}

/** The parameters of a saved query, which a request names besides its own: rows must match both. */
export class SavedParameters {
  /** Those that the request does not have, and that are read like its own. */
  private readonly adopted = new Set<string>();

  /** Adds the parameters that concern the whole list to those of the request. */
  constructor(
    private readonly definition: ListDefinition,
    private readonly saved: SavedQuery,
    private readonly given: Map<string, string>,
    { isComplete }: { isComplete: boolean },
  ) {
    for (const name of OF_THE_LIST) {
      const asked = given.get(name);
      const isOpen = asked === undefined || (WIDEST.get(name) ?? []).includes(asked);
      if (this.has(name) && isOpen && !(isComplete && name === 'limit')) this.adopt(name);
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.saved, name);
  }

  /** Whether the value that is read as one of the request is that of the saved query. */
  hasGiven(name: string): boolean {
    return this.adopted.has(name);
  }

  errorOf(name: string, message: string): FieldError {
    return { field: 'view', code: 'invalid_value', message: `The saved query is no longer valid. ${name}: ${message}` };
  }

  /** Adds the conditions of the saved query to the filters of the request; returns the errors. */
  narrow(filters: Map<string, unknown>): FieldError[] {
    const errors: FieldError[] = [];
    for (const [name, raw] of Object.entries(this.saved)) {
      const filter = Object.hasOwn(this.definition.filters, name) ? this.definition.filters[name] : undefined;
      if (filter === undefined) {
        const message = this.definition.messageFor?.(name) ?? 'There is no such parameter.';
        if (![...OF_THE_LIST, 'fields'].includes(name)) errors.push(this.errorOf(name, message));
        continue;
      }
      const parsed = isCleanText(raw) ? filter.parse(raw) : { message: 'It contains characters that are not allowed.' };
      if ('value' in parsed) this.add(filters, name, filter, parsed.value);
      else errors.push(this.errorOf(name, parsed.message));
    }
    this.narrowSearch(filters);
    this.narrowArchived(filters);
    return errors;
  }

  private adopt(name: string): void {
    this.given.set(name, this.saved[name]);
    this.adopted.add(name);
  }

  /** The flag that says what the parameter means is that of the saved query, also if the request has another. */
  private add(filters: Map<string, unknown>, name: string, filter: Filter, value: unknown): void {
    const { modifier } = filter;
    if (filter.where === undefined) return;
    if (modifier === undefined) return narrow(filters, name, filter, value);
    const parsed = this.has(modifier) ? this.definition.filters[modifier].parse(this.saved[modifier]) : {};
    const meant = 'value' in parsed ? parsed.value : undefined;
    addCondition(filters, (statement, request) => {
      const own = { filters: new Map(request.filters).set(modifier, meant) };
      return filter.where?.(value as never, statement, own) ?? 'true';
    });
  }

  private narrowSearch(filters: Map<string, unknown>): void {
    const { search } = this.definition;
    if (search === undefined || !this.has('search') || this.adopted.has('search')) return;
    addCondition(filters, (statement) => search.where(this.saved.search.trim(), statement));
  }

  /** Nothing is both archived and not. */
  private narrowArchived(filters: Map<string, unknown>): void {
    const [mine, asked] = [this.saved.archived, this.given.get('archived')];
    if (this.has('archived') && mine !== 'any' && mine !== asked) addCondition(filters, () => 'false');
  }
}
