import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import type { IterationReport } from './iteration-report.js';
import { IterationReportsRepository } from './iteration-reports.repository.js';

/** Reports what iterations were to contain and what became of it. */
@Injectable()
export class IterationReports {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly repository: IterationReportsRepository,
  ) {}

  /** The report as it was frozen when the iteration was closed; before, as it is now. */
  get(me: Caller, id: string): Promise<IterationReport> {
    return this.database.report(() => this.read(me, id));
  }

  private async read(me: Caller, id: string): Promise<IterationReport> {
    await this.access.authorizeWithoutLock(me, 'iterations_report_get', id);
    const iteration = await this.repository.find(id);
    if (iteration === undefined) throw notFound();
    const scope = iteration.report ?? (await this.repository.scope(id));
    return {
      iteration_id: id,
      status: iteration.status,
      ...scope,
      velocity: await this.repository.velocity(id, iteration),
    };
  }
}
