import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../database/database.js';
import { STANDBY_OUTCOMES } from '../database/connections/standby-position.js';
import { Release } from '../release/release.js';
import { Metrics } from './metrics.js';

const NS = 1e9;
const RESOLUTION_MS = 10;
/** Reading the size of a database touches each of its files. */
const SIZE_EVERY_MS = 60_000;

/** What the process and its connections are doing, in the metrics. */
@Injectable()
export class ProcessMetrics implements OnModuleDestroy {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private size = { bytes: 0, readAt: -Infinity };

  constructor(
    private readonly database: Database,
    release: Release,
    metrics: Metrics,
  ) {
    this.delay.enable();
    metrics.byLabel('release', 'The release of this process; always 1.', 'version', () => ({ [release.version]: 1 }));
    metrics.gauge('process_start_time_seconds', 'Start of the process since the epoch.', () =>
      Math.round(Date.now() / 1_000 - process.uptime()),
    );
    metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
    metrics.gauge('heap_used_bytes', 'Memory of live JavaScript objects.', () => process.memoryUsage().heapUsed);
    metrics.gauge('cpu_seconds', 'Processor time of the process since its start.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    metrics.byLabel(
      'event_loop_delay_seconds',
      'Delay of the event loop since it was last read, by quantile.',
      'quantile',
      () => this.readDelay(),
    );
    metrics.byLabel('database_connections', 'Connections, and requests that wait for one, by state.', 'state', () => {
      const { total, idle, waiting } = database.connections;
      return { used: total - idle, idle, waiting };
    });
    this.registerStandby(metrics);
    metrics.gauge('database_size_bytes', 'Size of the database.', () => this.readSize());
  }

  private registerStandby(metrics: Metrics): void {
    const { standby } = this.database;
    const help = 'Reads that a standby may answer, by what became of them; the primary answered all but standby.';
    const count = metrics.counter('standby_reads', help, 'outcome', STANDBY_OUTCOMES);
    standby?.onRead((outcome) => count(outcome));
    metrics.byLabel('standby_lag_bytes', 'How far the standby is behind, in bytes of the log.', undefined, async () => {
      const bytes = await standby?.bytesBehind();
      // A standby that is down, or none, is no reason to say that the database cannot be read.
      return Object.fromEntries(bytes === undefined ? [] : [['', bytes]]);
    });
    metrics.byLabel(
      'standby_connections',
      'Connections to the standby, and reads that wait, by state.',
      'state',
      () => {
        const { total, idle, waiting } = standby?.connections ?? { total: 0, idle: 0, waiting: 0 };
        return { used: total - idle, idle, waiting };
      },
    );
  }

  onModuleDestroy(): void {
    this.delay.disable();
  }

  private readDelay(): Record<string, number> {
    const seconds = (ns: number): number => Math.max(ns / NS - RESOLUTION_MS / 1_000, 0);
    const { delay } = this;
    const percentile = (percent: number): number => (delay.count === 0 ? 0 : seconds(delay.percentile(percent)));
    const read = { 0.5: percentile(50), 0.99: percentile(99), 1: percentile(100) };
    delay.reset();
    return read;
  }

  private async readSize(): Promise<number> {
    if (performance.now() - this.size.readAt < SIZE_EVERY_MS) return this.size.bytes;
    const row = await this.database.one<{ bytes: number }>(
      'SELECT pg_database_size(current_database())::float8 AS bytes',
    );
    this.size = { bytes: row?.bytes ?? 0, readAt: performance.now() };
    return this.size.bytes;
  }
}
