import type { Attributes } from '../spans/span.js';
import type { EndedSpan } from './tracer.js';

export interface OtlpTarget {
  /** The base URL, to which the path of traces is appended. */
  endpoint: string;
  headers: Record<string, string>;
  /** Attributes of the process. */
  resource: Attributes;
}

const TIMEOUT_MS = 5_000;
const SCOPE = 'worksmith';
const STATUS_ERROR = 2;
const NANO_DIGITS = 6;
const NANOS = 10 ** NANO_DIGITS;

/** Sends spans as JSON by OTLP over HTTP, and reports when that begins to fail, and when it works again. */
export class OtlpExporter {
  private readonly url: string;
  private problem: string | undefined;

  constructor(
    private readonly target: OtlpTarget,
    private readonly report: (message: string) => void,
  ) {
    this.url = `${target.endpoint.replace(/\/+$/, '')}/v1/traces`;
  }

  /** Whether the spans were accepted. */
  async send(spans: readonly EndedSpan[]): Promise<boolean> {
    const problem = await this.post(JSON.stringify(this.requestOf(spans)));
    if (problem !== this.problem) {
      const host = new URL(this.url).host;
      this.report(problem === undefined ? `${host} accepts traces again` : `${host} accepts no traces: ${problem}`);
    }
    this.problem = problem;
    return problem === undefined;
  }

  private async post(body: string): Promise<string | undefined> {
    try {
      const headers = { ...this.target.headers, 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.url, { method: 'POST', headers, body, signal, redirect: 'error' });
      await response.arrayBuffer();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string }; name?: string };
      return cause?.code ?? name ?? 'no connection';
    }
  }

  private requestOf(spans: readonly EndedSpan[]): object {
    const resource = { attributes: attributesOf(this.target.resource) };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: SCOPE }, spans: spans.map(spanOf) }] }] };
  }
}

const spanOf = ({ startedAt, endedAt, attributes, problem, ...span }: EndedSpan): object => ({
  ...span,
  startTimeUnixNano: nanosOf(startedAt),
  endTimeUnixNano: nanosOf(endedAt),
  attributes: attributesOf(attributes),
  status: problem === undefined ? {} : { code: STATUS_ERROR, message: problem },
});

/** Nanoseconds as text, because they exceed the precision of numbers. */
function nanosOf(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * NANOS)).padStart(NANO_DIGITS, '0')}`;
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: Attributes[string]): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
