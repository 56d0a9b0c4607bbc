/** How a comparison compares; `:` is `=`, and with `*` whether there is a value. */
export const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', ':'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A comparison; `at` is the position of its name in the text, from 1. */
export interface Comparison {
  name: string;
  operator: Operator;
  value: string;
  at: number;
}

export type Expression = Comparison | { all: Expression[] } | { any: Expression[] } | { not: Expression };

/** A filter expression that cannot be read, with the position of the fault, from 1. */
export class ExpressionError extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(`At position ${at}: ${message}`);
  }
}

const MOST_DEPTH = 10;
const MOST_COMPARISONS = 50;

interface Token {
  kind: 'open' | 'close' | 'operator' | 'quoted' | 'word' | 'end';
  text: string;
  at: number;
}

const TOKEN = /\s*(?:(\()|(\))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(<=|>=|!=|[=<>:])|([^\s()<>=!:"',]+))/suy;
const KINDS = ['open', 'close', 'quoted', 'operator', 'word'] as const;

/** Reads an expression of the filter language of AIP-160; OR binds more than AND, and words without AND are joined by it. */
export function parseExpression(text: string): Expression {
  return new Parser(tokensOf(text)).read();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  for (let from = 0; from < end; from = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (match === null) throw new ExpressionError(from + 1, 'A quote is not closed, or a character needs quotes.');
    const group = match.slice(1).findIndex((part) => part !== undefined);
    const found = match[group + 1];
    tokens.push({ kind: KINDS[group], text: found, at: TOKEN.lastIndex - found.length + 1 });
  }
  return [...tokens, { kind: 'end', text: '', at: end + 1 }];
}

class Parser {
  private next = 0;
  private comparisons = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  read(): Expression {
    const expression = this.conjunction(1);
    const { kind, at, text } = this.token;
    if (kind === 'end') return expression;
    throw new ExpressionError(at, `AND, OR or the end is expected before ${text}; quote values with such characters.`);
  }

  private conjunction(depth: number): Expression {
    if (depth > MOST_DEPTH) throw new ExpressionError(this.token.at, `At most ${MOST_DEPTH} levels are possible.`);
    const parts = [this.disjunction(depth)];
    for (;;) {
      if (this.takeWord('AND') || ['open', 'word'].includes(this.token.kind)) parts.push(this.disjunction(depth));
      else return parts.length === 1 ? parts[0] : { all: parts };
    }
  }

  private disjunction(depth: number): Expression {
    const parts = [this.term(depth)];
    while (this.takeWord('OR')) parts.push(this.term(depth));
    return parts.length === 1 ? parts[0] : { any: parts };
  }

  private term(depth: number): Expression {
    if (this.takeWord('NOT') || this.takeWord('-')) return { not: this.operand(depth) };
    const { kind, text, at } = this.token;
    if (kind !== 'word' || !text.startsWith('-')) return this.operand(depth);
    this.next += 1;
    return { not: this.comparison({ text: text.slice(1), at: at + 1 }) };
  }

  private operand(depth: number): Expression {
    const { kind, text, at } = this.take();
    if (kind === 'open') {
      const inner = this.conjunction(depth + 1);
      const closing = this.take();
      if (closing.kind !== 'close') throw new ExpressionError(closing.at, `The ( at position ${at} is not closed.`);
      return inner;
    }
    if (kind === 'word' && !['AND', 'OR', 'NOT'].includes(text)) return this.comparison({ text, at });
    throw new ExpressionError(at, 'A comparison such as status = "active" is expected here.');
  }

  private comparison({ text: name, at }: Pick<Token, 'text' | 'at'>): Comparison {
    this.comparisons += 1;
    if (this.comparisons > MOST_COMPARISONS) {
      throw new ExpressionError(at, `At most ${MOST_COMPARISONS} comparisons are possible.`);
    }
    const operator = this.take();
    if (operator.kind !== 'operator') {
      throw new ExpressionError(
        at,
        `${name} is compared with nothing; write for example ${name} = true. Words are searched for with search.`,
      );
    }
    const value = this.take();
    if (value.kind !== 'word' && value.kind !== 'quoted')
      throw new ExpressionError(value.at, 'A value is expected here.');
    return { name, operator: operator.text as Operator, value: valueOf(value), at };
  }

  private get token(): Token {
    return this.tokens[this.next];
  }

  /** The end is never taken. */
  private take(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.next += 1;
    return token;
  }

  private takeWord(text: string): boolean {
    const isThere = this.token.kind === 'word' && this.token.text === text;
    if (isThere) this.next += 1;
    return isThere;
  }
}

const valueOf = ({ kind, text }: Token): string =>
  kind === 'quoted' ? text.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : text;
