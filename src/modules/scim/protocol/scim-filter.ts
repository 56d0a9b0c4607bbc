import { isCleanText } from '../../../common/texts/text.js';
import { invalid, type ScimError, type ScimType } from './scim-error.js';

/** The comparisons of RFC 7644; `pr` has no value. */
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type FilterOperator = (typeof OPERATORS)[number] | 'pr';
export type FilterValue = string | number | boolean | null;

/** An attribute in canonical form: lower case, without the URN of its schema. */
export interface AttributePath {
  attribute: string;
  sub?: string;
}

export type ScimFilter =
  | { kind: 'and' | 'or'; parts: ScimFilter[] }
  | { kind: 'not'; part: ScimFilter }
  | { kind: 'compare'; path: AttributePath; operator: FilterOperator; value?: FilterValue }
  | { kind: 'element'; attribute: string; filter: ScimFilter };

/** A filter is read in one pass; these bound what its evaluation can cost. */
const MAX_LENGTH = 2_000;
const MAX_DEPTH = 10;
const MAX_COMPARISONS = 50;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const NAME = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/i;

/** A parsed filter, with the position of its end: a value path continues behind its bracket. */
class FilterParser {
  private at = 0;
  private depth = 0;
  private comparisons = 0;
  private token: string | undefined;

  constructor(
    private readonly text: string,
    private readonly scimType: ScimType,
  ) {
    if (text.length > MAX_LENGTH) throw this.error(`can have at most ${MAX_LENGTH} characters`);
    this.next();
  }

  /** The whole text as one filter. */
  whole(): ScimFilter {
    const filter = this.disjunction();
    if (this.token !== undefined) throw this.error(`has an unexpected ${JSON.stringify(this.token)}`);
    return filter;
  }

  private disjunction(): ScimFilter {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.error(`can be nested at most ${MAX_DEPTH} levels deep`);
    const parts = [this.conjunction()];
    while (this.takeWord('or')) parts.push(this.conjunction());
    this.depth -= 1;
    return parts.length === 1 ? parts[0] : { kind: 'or', parts };
  }

  private conjunction(): ScimFilter {
    const parts = [this.term()];
    while (this.takeWord('and')) parts.push(this.term());
    return parts.length === 1 ? parts[0] : { kind: 'and', parts };
  }

  private term(): ScimFilter {
    if (this.takeWord('not')) {
      if (this.token !== '(') throw this.error('needs a parenthesis after "not"');
      return { kind: 'not', part: this.group('(', ')') };
    }
    if (this.token === '(') return this.group('(', ')');
    return this.comparison();
  }

  private group(open: string, close: string): ScimFilter {
    this.expect(open);
    const filter = this.disjunction();
    this.expect(close);
    return filter;
  }

  private comparison(): ScimFilter {
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS) throw this.error(`can have at most ${MAX_COMPARISONS} comparisons`);
    const path = this.path();
    if (this.token === '[' && path.sub === undefined) {
      const filter = this.group('[', ']');
      return { kind: 'element', attribute: path.attribute, filter: this.withPart(filter) };
    }
    return this.comparisonOf(path);
  }

  /** What follows a bracket, such as `.value eq "x"`, is a condition on the same element. */
  private withPart(filter: ScimFilter): ScimFilter {
    const part = /^\.([a-z$][\w$-]*)$/i.exec(this.token ?? '')?.[1];
    if (part === undefined) return filter;
    this.next();
    return { kind: 'and', parts: [filter, this.comparisonOf({ attribute: part.toLowerCase() })] };
  }

  private comparisonOf(path: AttributePath): ScimFilter {
    const word = this.token?.toLowerCase();
    if (word === 'pr') {
      this.next();
      return { kind: 'compare', path, operator: 'pr' };
    }
    const operator = OPERATORS.find((one) => one === word);
    if (operator === undefined) throw this.error(`needs one of ${OPERATORS.join(', ')} and pr after an attribute`);
    this.next();
    return { kind: 'compare', path, operator, value: this.value() };
  }

  private path(): AttributePath {
    const name = this.token === undefined ? undefined : attributePathOf(this.token);
    if (name === undefined) throw this.error('needs the name of an attribute');
    this.next();
    return name;
  }

  private value(): FilterValue {
    const { token } = this;
    if (token === undefined) throw this.error('needs a value after the operator');
    let value: unknown;
    try {
      value = JSON.parse(token);
    } catch {
      // Some clients write True.
      value = /^(?:true|false)$/i.test(token) ? token.toLowerCase() === 'true' : undefined;
    }
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) {
      throw this.error('needs a text in double quotes, a number, true, false or null as value');
    }
    if (typeof value === 'string' && !isCleanText(value)) throw this.error('contains characters that cannot be stored');
    this.next();
    return value as FilterValue;
  }

  private takeWord(word: string): boolean {
    if (this.token?.toLowerCase() !== word) return false;
    this.next();
    return true;
  }

  private expect(token: string): void {
    if (this.token !== token) throw this.error(`needs a ${token}`);
    this.next();
  }

  private next(): void {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (match !== null) this.at = TOKEN.lastIndex;
    else if (this.text.slice(this.at).trim() !== '') throw this.error('has a text without its closing quote');
    this.token = match?.slice(1).find((part) => part !== undefined);
  }

  private error(problem: string): ScimError {
    return invalid(this.scimType, `The ${this.scimType === 'invalidPath' ? 'path' : 'filter'} ${problem}.`);
  }
}

/** Parses a filter of RFC 7644; 400 `invalidFilter`. */
const parseFilter = (text: string): ScimFilter => new FilterParser(text, 'invalidFilter').whole();

/** Reads the parameter `filter` of a list. */
export function readFilter({ filter }: Readonly<Record<string, unknown>>): ScimFilter | undefined {
  if (filter === undefined || filter === '') return undefined;
  if (typeof filter !== 'string') throw invalid('invalidFilter', 'filter can be sent only once.');
  return parseFilter(filter);
}

/** The attribute that a name means; undefined if it is none. */
export function attributePathOf(name: string): AttributePath | undefined {
  const own = name.replace(/^urn:.*:(?=[^:]*$)/i, '');
  if (!NAME.test(own)) return undefined;
  const [attribute, sub] = own.toLowerCase().split('.');
  return sub === undefined ? { attribute } : { attribute, sub };
}

/** The target of a change: an attribute, or those elements of it that a filter selects, or a part of it. */
export interface TargetPath extends AttributePath {
  filter?: ScimFilter;
  /** The schema that the client has named in front. */
  urn?: string;
}

const TARGET = /^((?:urn:[^[\]]+:)?)([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/i;

/** Parses the path of a change; 400 `invalidPath`. */
export function parseTarget(text: string): TargetPath {
  const match = text.length > MAX_LENGTH ? null : TARGET.exec(text.trim());
  if (match === null) throw invalid('invalidPath', 'The path must be an attribute such as name.givenName.');
  const [, urn, attribute, filter, sub] = match;
  return {
    attribute: attribute.toLowerCase(),
    ...(urn !== '' && { urn: urn.slice(0, -1).toLowerCase() }),
    ...(filter !== undefined && { filter: new FilterParser(filter, 'invalidPath').whole() }),
    ...(sub !== undefined && { sub: sub.toLowerCase() }),
  };
}
