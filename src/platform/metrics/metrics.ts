import { Injectable, Logger } from '@nestjs/common';
import type { Database } from '../database/database.js';
import { Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from 'prom-client';

const PREFIX = 'worksmith_';
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type RequestLabels = Record<'method' | 'route' | 'status', string>;

/** The content type of the metrics. */
export const METRICS_TYPE = Registry.OPENMETRICS_CONTENT_TYPE;

/** Values of one gauge by the value of its label. */
type Labelled = Record<string, number>;

/** What waits in a queue, and since when its oldest entry is due; 0 s for an empty queue. */
export interface QueueState {
  length: number;
  oldestSeconds: number;
}

/** Its content type comes first: only then does it take metrics with exemplars. */
function openMetricsRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Reads the state of a queue from `rows`: SQL for a table, with a condition, whose column `due_at` says when rows are due. */
export async function readQueue(database: Database, rows: string, parameters: unknown[] = []): Promise<QueueState> {
  const state = await database.one<QueueState>(
    `SELECT count(*)::float8 AS length,
       greatest(coalesce(extract(epoch FROM clock_timestamp() - min(due_at)), 0), 0)::float8 AS "oldestSeconds"
     FROM ${rows}`,
    parameters,
  );
  return state ?? { length: 0, oldestSeconds: 0 };
}

/**
 * The registry of metrics, with which queues, pools and caches register gauges. A gauge is read for each response; one
 * that cannot be read is left out, so that the others are shown while the database is down.
 */
@Injectable()
export class Metrics {
  private readonly log = new Logger('Metrics');
  private readonly registry = openMetricsRegistry();
  private readonly queues = new Map<string, () => Promise<QueueState>>();
  /** What the queues contain, read once for all gauges of a text. */
  private states: Promise<Map<string, QueueState>> | undefined;
  private readonly requests = new Histogram<string>({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time until the response of a request was sent, by method, route and class of the status.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    enableExemplars: true,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: `${PREFIX}refusals`,
    help: 'Requests that failed, by error code; rate_limited and velocity_limit are limits that were hit.',
    labelNames: ['code'],
    registers: [this.registry],
  });
  private readonly limits = this.counter('limits_hit', 'Requests over a limit, by the name of the limit.', 'limit');
  private readonly unread = new Counter({
    name: `${PREFIX}metrics_unread`,
    help: 'Gauges that could not be read.',
    labelNames: ['gauge'],
    registers: [this.registry],
  });

  constructor() {
    this.byLabel('queue_length', 'Entries that are due, by queue.', 'queue', () =>
      this.queueStates(({ length }) => length),
    );
    this.byLabel('queue_oldest_seconds', 'Time since the oldest entry is due, by queue.', 'queue', () =>
      this.queueStates(({ oldestSeconds }) => oldestSeconds),
    );
  }

  readonly contentType = METRICS_TYPE;

  /** All metrics in the OpenMetrics text format. */
  text(): Promise<string> {
    this.states = undefined;
    return this.registry.metrics();
  }

  /** Registers a value; its name gets the prefix of the service unless it is a standard one of processes. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.byLabel(name, help, undefined, async () => ({ '': await read() }));
  }

  /** Registers several values that a label distinguishes. */
  byLabel(name: string, help: string, label: string | undefined, read: () => Labelled | Promise<Labelled>): void {
    const noteUnread = (gauge: string, error: unknown): void => this.noteUnread(gauge, error);
    const gauge = new Gauge({
      name: name.startsWith('process_') ? name : `${PREFIX}${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      async collect() {
        this.reset();
        try {
          for (const [value, figure] of Object.entries(await read())) {
            this.set(label === undefined ? {} : { [label]: value }, figure);
          }
        } catch (error) {
          this.remove();
          noteUnread(name, error);
        }
      },
    });
    this.registry.registerMetric(gauge);
  }

  /**
   * Registers a counter, and returns how to count. The values that are known in advance begin at 0, because a rate cannot
   * show the first of something that was not there before.
   */
  counter(name: string, help: string, label: string, values: readonly string[] = []) {
    const counter = new Counter({ name: `${PREFIX}${name}`, help, labelNames: [label], registers: [this.registry] });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value: string, amount = 1): void => counter.inc({ [label]: value }, amount);
  }

  /** Registers a queue, of which length and age are shown. */
  queue(name: string, read: () => Promise<QueueState>): void {
    this.queues.set(name, read);
  }

  /** Measures a request; the exemplar names a trace that shows where the time went. */
  observeRequest(labels: RequestLabels, value: number, exemplarLabels?: { trace_id: string; span_id: string }): void {
    this.requests.observe({ labels, value, exemplarLabels });
  }

  /** Counts a failed request, with the name of the limit if it was over one. */
  countRefusal(code: string, limit?: string): void {
    this.refusals.inc({ code });
    if (limit !== undefined) this.limits(limit);
  }

  private async queueStates(figureOf: (state: QueueState) => number): Promise<Labelled> {
    this.states ??= this.readQueues();
    return Object.fromEntries([...(await this.states)].map(([name, state]) => [name, figureOf(state)]));
  }

  private async readQueues(): Promise<Map<string, QueueState>> {
    const states = new Map<string, QueueState>();
    for (const [name, read] of this.queues) {
      try {
        states.set(name, await read());
      } catch (error) {
        this.noteUnread(`queue_${name}`, error);
      }
    }
    return states;
  }

  private noteUnread(gauge: string, error: unknown): void {
    this.unread.inc({ gauge });
    this.log.debug(`${gauge} could not be read: ${String(error)}`);
  }
}
