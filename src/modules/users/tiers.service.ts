import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors.js';
import { Representation } from '../../platform/database/view.js';
import { RequestContext } from '../../platform/http/request-context.js';
import type { UpdateTierDto } from './tier.dto.js';
import { TiersRepository, type TierRow } from './tiers.repository.js';

/** Manages the limits of tiers. Changes apply to the next request of each user. */
@Injectable()
export class TiersService {
  constructor(
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
    return new Representation(id, row.revision, JSON.stringify(row));
  }
}
