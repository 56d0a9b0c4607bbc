import { randomFillSync } from 'node:crypto';
import { SPAN_KINDS, type Attributes, type Span, type SpanKind } from '../spans/span.js';
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

/** Makes spans, and sends those that have ended in batches, one at a time; spans that are too many are dropped. */
export class Tracer {
  private waiting: EndedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;

  constructor(private readonly options: TracerOptions) {}

  /** Whether to keep a trace that begins here, or as its parent wants it. */
  keeps(parent?: RemoteParent): boolean {
    return parent?.isSampled ?? Math.random() < this.options.ratio;
  }

  /** Begins a trace, or continues that of another program. */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent?: RemoteParent): Span {
    const traceId = parent?.traceId ?? randomId(TRACE_ID_BYTES);
    return new TracerSpan(this, { name, kind, attributes, traceId, parentSpanId: parent?.spanId });
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
  parentSpanId?: string;
}

class TracerSpan implements Span {
  readonly traceId: string;
  readonly spanId = randomId(SPAN_ID_BYTES);
  private readonly startedAt = now();
  private hasEnded = false;

  constructor(
    private readonly tracer: Tracer,
    private readonly parts: SpanParts,
  ) {
    this.traceId = parts.traceId;
  }

  begin(name: string, kind: SpanKind, attributes: Attributes): Span {
    const { traceId, spanId: parentSpanId } = this;
    return new TracerSpan(this.tracer, { name, kind, attributes, traceId, parentSpanId });
  }

  end(attributes: Attributes = {}, problem?: string): void {
    if (this.hasEnded) return;
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
