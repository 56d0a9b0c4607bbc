import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditChain, INITIAL_HASH } from '../../platform/audit/audit-chain.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { AuditRepository } from './audit.repository.js';

const SEAL_MS = 4_000;
const DROP_MS = 3_600_000;
const BATCH_SIZE = 500;

/** Seals committed entries into a chain of hashes, and deletes the months after the retention period. */
@Injectable()
export class AuditSealing implements OnModuleInit {
  private readonly chain = new AuditChain(this.secrets);

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly repository: AuditRepository,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.every('audit_sealing', SEAL_MS, () => this.seal());
    this.jobs.every('audit_retention', DROP_MS, () => this.drop());
  }

  private async seal(): Promise<void> {
    while (await this.database.transaction(() => this.sealBatch())) continue;
  }

  /** Returns whether more entries may be unsealed. */
  private async sealBatch(): Promise<boolean> {
    const entries = await this.repository.unsealed(BATCH_SIZE);
    if (entries.length === 0) return false;
    const { position: last, hash } = (await this.repository.end()) ?? { position: 0, hash: INITIAL_HASH };
    let previous = hash;
    const seals = entries.map(({ id, text }, at) => {
      previous = this.chain.seal(previous, last + at + 1, text);
      return { id, hash: previous };
    });
    await this.repository.seal(last + 1, seals);
    return entries.length === BATCH_SIZE;
  }

  private async drop(): Promise<void> {
    for (;;) {
      const edge = await this.repository.oldMonth(this.settings.AUDIT_DAYS);
      const end = edge && (await this.repository.lastBefore(edge, BATCH_SIZE));
      if (edge === undefined || end === undefined) return;
      const signature = this.chain.sign(end.position, end.hash, edge);
      await this.repository.drop(edge, end, signature);
    }
  }
}
