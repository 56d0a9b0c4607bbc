import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as a collector reads it. */
export interface CollectedSpan {
  service: unknown;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  ms: number;
  problem?: string;
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
}

interface OtlpSpan extends Pick<CollectedSpan, 'name' | 'kind' | 'traceId' | 'spanId' | 'parentSpanId'> {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number; message?: string };
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
}

/** Receives traces by OTLP over HTTP as JSON, as the collector of OpenTelemetry does. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** The status of its responses. */
  status = 200;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const isKnown = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
        const status = isKnown ? collector.status : 415;
        if (status === 200) collector.take(request.headers, JSON.parse(body) as OtlpRequest);
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
        for (const look of collector.waiting) look();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The first span that fits, as soon as it has arrived. */
  span(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.spans.find(fits);
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }

  partsOf({ spanId }: CollectedSpan): CollectedSpan[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(headers: IncomingHttpHeaders, { resourceSpans }: OtlpRequest): void {
    this.headers.push(headers);
    for (const { resource, scopeSpans } of resourceSpans) {
      const { 'service.name': service } = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ service, ...readSpan(span) })));
    }
  }
}

const NANOS_PER_MS = 1e6;

function readSpan(span: OtlpSpan): Omit<CollectedSpan, 'service'> {
  const { startTimeUnixNano, endTimeUnixNano, attributes, status, ...ids } = span;
  const ms = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / NANOS_PER_MS;
  return { ...ids, ms, problem: status.code === 2 ? status.message : undefined, attributes: valuesOf(attributes) };
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
