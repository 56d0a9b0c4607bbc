import { Injectable } from '@nestjs/common';
import { notFound } from '../../../common/errors.js';
import { TIER_LIMITS } from '../../../common/tiers.js';
import { AuditTrail } from '../../../platform/audit/audit-trail.js';
import { Representation } from '../../../platform/database/views/view.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import type { UpdateTierDto } from './tier.dto.js';
import { TiersRepository, type TierRow } from './tiers.repository.js';

/** Manages the limits of tiers. Changes apply to the next request of each user. */
@Injectable()
export class TiersService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly context: RequestContext,
    private readonly tiers: TiersRepository,
  ) {}

  list(): Promise<TierRow[]> {
    return this.tiers.all();
  }

  async update(id: string, dto: UpdateTierDto): Promise<Representation> {
    const current = /^[1-9]\d{0,3}$/.test(id) ? await this.tiers.lock(Number(id)) : undefined;
    if (current === undefined) throw notFound();
    this.context.assertIfMatch(current.revision);
    const differs = Object.entries(dto).some(([name, value]) => current[name as keyof UpdateTierDto] !== value);
    const row = differs ? await this.tiers.update(current.id, dto) : current;
    if (differs) await this.audit.record({ action: 'tier.changed', details: changesOf(current, row) });
    return new Representation(id, row.revision, JSON.stringify(row));
  }
}

/** The tier with its changed limits, and their earlier values. */
function changesOf(before: TierRow, after: TierRow): Record<string, unknown> {
  const isChanged = (name: string): boolean => before[name as keyof TierRow] !== after[name as keyof TierRow];
  const names = TIER_LIMITS.filter(isChanged);
  const valuesIn = (row: TierRow) => Object.fromEntries(names.map((name) => [name, row[name]]));
  return { tier: after.id, ...valuesIn(after), before: valuesIn(before) };
}
