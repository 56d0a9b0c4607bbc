import { hostname } from 'node:os';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { headersIn } from '../config/header-pairs.js';
import { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { Release } from '../release/release.js';
import { endingWith, within, type Attributes, type Span, type SpanFacts, type SpanKind } from '../spans/span.js';
import { parentIn } from './traceparent.js';
import type { SpanOutcome, Tracer } from './tracer.js';

/** Begins traces if OTEL_EXPORTER_OTLP_ENDPOINT is set. What makes and sends spans is loaded only then. */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private readonly log = new Logger('Traces');
  private readonly count: (outcome: SpanOutcome, spans: number) => void;
  private tracer: Tracer | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly release: Release,
    metrics: Metrics,
  ) {
    const help =
      'Spans of traces by outcome: sent, failed if the collector did not accept them, dropped if too many waited.';
    this.count = metrics.counter('trace_spans', help, 'outcome', ['sent', 'failed', 'dropped']);
  }

  get isOn(): boolean {
    return this.tracer !== undefined;
  }

  /** Called once, before any work that is traced. */
  async open(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = this.settings;
    const { OTEL_SERVICE_NAME: service, OTEL_TRACES_SAMPLER_ARG: ratio } = this.settings;
    if (endpoint === undefined) return;
    const { Tracer } = await import('./tracer.js');
    const { OtlpExporter } = await import('./otlp-exporter.js');
    const resource = {
      'service.name': service,
      'service.version': this.release.version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    };
    const target = { endpoint, headers: headersIn(headers), resource };
    const exporter = new OtlpExporter(target, (message) => this.log.warn(message));
    this.tracer = new Tracer({ ratio, send: (spans) => exporter.send(spans), count: this.count });
  }

  /**
   * Begins a span of its own, or one that belongs to what the header `traceparent` names; undefined if the trace is not
   * kept. `describe` is called only if it is, because most requests are not traced.
   */
  begin(describe: () => SpanFacts, traceparent?: string | string[]): Span | undefined {
    const { tracer } = this;
    if (tracer === undefined) return undefined;
    const parent = traceparent === undefined ? undefined : parentIn(traceparent);
    if (!tracer.keeps(parent)) return undefined;
    const { name, kind, attributes } = describe();
    return tracer.begin(name, kind, attributes, parent);
  }

  /** Runs work that nobody waits for, as a trace of its own if it is kept. */
  during<T>(name: string, kind: SpanKind, attributes: Attributes, work: (span?: Span) => Promise<T>): Promise<T> {
    const span = this.begin(() => ({ name, kind, attributes }));
    return span === undefined ? work() : within(span, () => endingWith(span, () => work(span)));
  }

  /** Sends the spans that have ended. */
  async flush(): Promise<void> {
    await this.tracer?.flush();
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }
}
