import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Lease } from '../database/connections/lease.js';
import { GONE_SECONDS } from '../database/schema/migrations.js';
import { Housekeeping } from '../jobs/housekeeping.js';
import { Release } from '../release/release.js';
import { ReplicasRepository } from './replicas.repository.js';

const BEAT_MS = 10_000;
const RETRY_MS = 1_000;
/** Shorter than the time after which a contract takes the replica for gone. */
const LEASE_MS = (GONE_SECONDS - 10) * 1_000;
const RETRY_SECONDS = 5;

/**
 * Records that this replica is running, and stops it when a contract has removed what its release uses. A replica whose
 * heartbeat is overdue, because it was frozen or could not reach the database, sends no statement before it has
 * confirmed that its release still fits the schema.
 */
@Injectable()
export class Replica implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Replica');
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private isRefused = false;
  private stop: (reason: string) => void = () => undefined;

  constructor(
    private readonly release: Release,
    private readonly repository: ReplicasRepository,
    private readonly lease: Lease,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('replicas', "seen_at < now() - interval '1 day'");
    this.lease.renewBy(() => this.beat());
  }

  /** Registers how to stop the process when its release no longer fits the schema. */
  onRefused(stop: (reason: string) => void): void {
    this.stop = stop;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    this.schedule(BEAT_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.lease.extendUntil(Infinity);
    await this.repository.remove(this.id).catch(() => undefined);
  }

  private schedule(delay: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      void this.beat().then(
        () => this.schedule(BEAT_MS),
        () => this.schedule(RETRY_MS),
      );
    }, delay).unref();
  }

  private async beat(): Promise<void> {
    const startedAt = performance.now();
    const least = await this.repository.beat(this.id, this.release);
    if (least <= this.release.schema) return this.lease.extendUntil(startedAt + LEASE_MS);
    this.lease.extendUntil(-Infinity);
    const reason = `The database needs a release with schema ${least} or newer; this one has ${this.release.schema}.`;
    if (!this.isRefused) {
      this.isRefused = true;
      this.log.error(`${reason} It stops.`);
      this.stop(reason);
    }
    throw new ApiError('unavailable', 'This replica is older than the database; it stops.', undefined, RETRY_SECONDS);
  }
}
