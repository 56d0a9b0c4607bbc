import type { Span } from '../spans/span.js';

/** The span of another program that a request belongs to. */
export interface RemoteParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const HEADER = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** Reads the header `traceparent` of W3C Trace Context; undefined if it is absent or malformed, which is ignored. */
export function parentIn(header: string | string[] | undefined): RemoteParent | undefined {
  if (typeof header !== 'string') return undefined;
  const [, traceId, spanId, flags] = HEADER.exec(header) ?? [];
  if (traceId === undefined || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The header that makes the receiver's work a part of the span. */
export const traceparentOf = ({ traceId, spanId }: Span): string => `00-${traceId}-${spanId}-01`;
