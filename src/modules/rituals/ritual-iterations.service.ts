import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../common/errors.js';
import { ApiError } from '../../common/errors.js';
import { wallTimeAt } from '../../common/time.js';
import type { Actor } from '../../platform/context/actor.js';
import { NextIterations } from '../iterations/next-iterations.service.js';
import type { Ritual } from './ritual.entity.js';

/** A run that plans an iteration. */
interface Occasion {
  ritual: Pick<Ritual, 'endeavourId' | 'iterationDays'> & { createdBy: string | null };
  timezone: string;
  now: Date;
}

/** Plans the iterations that rituals make in their runs. */
@Injectable()
export class RitualIterations {
  constructor(private readonly iterations: NextIterations) {}

  /** Plans the next iteration of the endeavour if there is none; returns why it could not, for the run. */
  async plan(actor: Actor | null, { ritual, timezone, now }: Occasion): Promise<FieldError[]> {
    const { endeavourId, iterationDays: days, createdBy } = ritual;
    if (days === null || endeavourId === null || createdBy === null) return [];
    const today = new Date(wallTimeAt(now.getTime(), timezone)).toISOString().slice(0, 10);
    try {
      await this.iterations.plan(actor, { endeavourId, days, today, createdBy });
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return [{ field: 'iteration_days', code: 'out_of_range', message: error.message }];
    }
  }
}
