import { randomFillSync } from 'node:crypto';
import { SPAN_KINDS, type Attributes, type Span, type SpanKind } from './span.js';
import type { RemoteParent } from './traceparent.js';

/** A span that has ended. */
export interface EndedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  problem?: string;
}

/** What became of spans. */
export type SpanOutcome = 'sent' | 'failed' | 'dropped';

interface TracerOptions {
  /** The share of traces without a parent that are kept. */
  ratio: number;
  /** Sends spans; false if they were not accepted. */
  send: (spans: EndedSpan[]) => Promise<boolean>;
  count: (outcome: SpanOutcome, spans: number) => void;
}

const MAX_WAITING = 4_096;
/** Encoding more would keep the event loop busy for too long. */
const MAX_BATCH = 512;
const PAUSE_MS = 1_000;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const SHARE_DIGITS = 8;
const MAX_SHARE = 16 ** SHARE_DIGITS;

/** Makes spans, and sends those that have ended in batches, one at a time; spans that are too many are dropped. */
export class Tracer {
  private waiting: EndedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;

  constructor(private readonly options: TracerOptions) {}

  /** Begins a trace, or continues that of another program. */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent?: RemoteParent): Span {
    const traceId = parent?.traceId ?? randomId(TRACE_ID_BYTES);
    const isSampled = parent?.isSampled ?? shareOf(traceId) < this.options.ratio;
    return new TracerSpan(this, { name, kind, attributes, traceId, isSampled, parentSpanId: parent?.spanId });
  }

  /** Keeps a span until it is sent. */
  keep(span: EndedSpan): void {
    if (this.waiting.length >= MAX_WAITING) return this.options.count('dropped', 1);
    this.waiting.push(span);
    if (this.waiting.length >= MAX_BATCH) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), PAUSE_MS).unref();
  }

  /** Sends what waits; returns when it has been sent or refused. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const isAccepted = await this.options.send(batch);
      this.options.count(isAccepted ? 'sent' : 'failed', batch.length);
    }
  }
}

interface SpanParts {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  traceId: string;
  isSampled: boolean;
  parentSpanId?: string;
}

class TracerSpan implements Span {
  readonly traceId: string;
  readonly spanId = randomId(SPAN_ID_BYTES);
  readonly isSampled: boolean;
  private readonly startedAt = now();
  private hasEnded = false;

  constructor(
    private readonly tracer: Tracer,
    private readonly parts: SpanParts,
  ) {
    this.traceId = parts.traceId;
    this.isSampled = parts.isSampled;
  }

  begin(name: string, kind: SpanKind, attributes: Attributes): Span {
    const { traceId, isSampled, spanId: parentSpanId } = this;
    return new TracerSpan(this.tracer, { name, kind, attributes, traceId, isSampled, parentSpanId });
  }

  end(attributes: Attributes = {}, problem?: string): void {
    if (!this.isSampled || this.hasEnded) return;
    this.hasEnded = true;
    const { parts, traceId, spanId, startedAt } = this;
    this.tracer.keep({
      traceId,
      spanId,
      parentSpanId: parts.parentSpanId,
      name: parts.name,
      kind: SPAN_KINDS[parts.kind],
      startedAt,
      endedAt: now(),
      attributes: { ...parts.attributes, ...attributes },
      problem,
    });
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Random bytes are made many at once, because each call takes as long as a small statement. */
const bytes = Buffer.alloc(8_192);
let used = bytes.length;

function randomId(length: number): string {
  if (used + length > bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  used += length;
  return bytes.toString('hex', used - length, used);
}

/** A number from 0 to 1 that follows from the id, so that every replica decides alike. */
const shareOf = (traceId: string): number => Number.parseInt(traceId.slice(-SHARE_DIGITS), 16) / MAX_SHARE;
