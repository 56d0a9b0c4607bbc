import { Ambient } from '../../common/ambient.js';

export type Attributes = Record<string, string | number | boolean>;

/** What a span is for, by the numbers of OTLP. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

/** What a span shows from its beginning on. */
export interface SpanFacts {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}

/** A part of the work of a trace. There are spans only of traces that are kept, because most work is not traced. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Begins a part of this span. */
  begin(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Ends the span with further attributes, and with a problem if its work failed. */
  end(attributes?: Attributes, problem?: string): void;
}

const ambient = new Ambient<Span>();
/** Spares every statement a look-up while nothing is traced. */
let isUsed = false;

/** The span of the current asynchronous context. */
export const currentSpan = (): Span | undefined => (isUsed ? ambient.getStore() : undefined);

/** Runs the work as a part of the span. */
export function within<T>(span: Span, work: () => T): T {
  isUsed = true;
  return ambient.run(span, work);
}

/** Ends the span with the work. */
export async function endingWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  let problem: string | undefined;
  try {
    return await work();
  } catch (error) {
    problem = problemOf(error);
    throw error;
  } finally {
    span.end({}, problem);
  }
}

/** The kind of an error: its code or its class, because messages can contain what people wrote. */
export function problemOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'Error';
}
