import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Release } from '../replicas/release.js';
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
    metrics.gauge('database_size_bytes', 'Size of the database.', () => this.readSize());
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
