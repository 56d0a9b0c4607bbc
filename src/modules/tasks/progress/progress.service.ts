import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/caller.js';
import { wallTimeAt } from '../../../common/time.js';
import { pictureResponse, SVG_TYPE } from '../../../platform/http/picture-response.js';
import { readQuery } from '../../../platform/http/plain-query.js';
import type { RawQuery } from '../../../platform/http/query-parameters.js';
import type { RawResponse } from '../../../platform/http/raw-response.js';
import { Clock } from '../../../platform/jobs/clock.js';
import type { Parsed } from '../../../platform/listing/definition.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { PERIOD_READERS, pastPeriod, periodIn, periodParameters, type PeriodBounds } from '../period.js';
import { forecastOf } from './forecast.rules.js';
import { ProgressRepository } from './progress.repository.js';
import {
  completedByDay,
  daysOf,
  intervalsOf,
  PROGRESS_INTERVALS,
  rounded,
  type Durations,
  type Progress,
  type ProgressInterval,
} from './progress.rules.js';
import { progressSvg } from './progress.svg.js';

const BOUNDS: Record<ProgressInterval, PeriodBounds> = {
  day: { usual: 29, most: 366 },
  week: { usual: 77, most: 1_830 },
};

const READERS = {
  ...PERIOD_READERS,
  interval: (raw: string): Parsed =>
    PROGRESS_INTERVALS.includes(raw as ProgressInterval)
      ? { value: raw }
      : { code: 'invalid_value', message: 'Must be day or week.', allowed: PROGRESS_INTERVALS },
};

export const PROGRESS_PARAMETERS = {
  interval: {
    description:
      'The length of the intervals. Days and weeks (from Monday) are those of the time zone of the endeavour.',
    schema: { type: 'string', enum: [...PROGRESS_INTERVALS], default: 'day' },
  },
  ...periodParameters({ from: '30 days or 12 weeks that end with to', to: 'now, which is also the latest' }),
};

/** Computes the progress of endeavours and forecasts their end. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly repository: ProgressRepository,
  ) {}

  async progress(me: Caller, id: string, query: RawQuery): Promise<Progress> {
    return (await this.read(me, id, readQuery(query, READERS))).progress;
  }

  /** The progress of the last 30 days, for the report page of the endeavour. */
  async recent(me: Caller, id: string): Promise<Progress> {
    return (await this.read(me, id, new Map())).progress;
  }

  /** The cumulative flow of the period as an SVG image. */
  async picture(me: Caller, id: string, query: RawQuery): Promise<RawResponse> {
    const { progress, title } = await this.read(me, id, readQuery(query, READERS));
    return pictureResponse(SVG_TYPE, progressSvg(title, progress.intervals));
  }

  private async read(
    me: Caller,
    id: string,
    values: ReadonlyMap<string, unknown>,
  ): Promise<{ progress: Progress; title: string }> {
    const interval = (values.get('interval') as ProgressInterval | undefined) ?? 'day';
    const { title } = await this.access.authorizeWithoutLock(me, 'endeavours_progress_get', id);
    const timezone = await this.endeavours.timezoneOf(id);
    const now = this.clock.now();
    const period = pastPeriod(periodIn(values), timezone, now, BOUNDS[interval]);
    const {
      days: starts,
      moves,
      repeated,
      counts,
      ...durations
    } = await this.repository.read(id, {
      timezone,
      interval,
      period,
      now,
    });
    const days = daysOf(starts, { moves, repeated }, { planned: 0, active: 0, done: 0, canceled: 0, ...counts });
    const intervals = intervalsOf(days, interval);
    const completed = days.reduce((sum, day) => sum + day.completed, 0);
    const { planned = 0, active = 0 } = counts;
    const progress = {
      endeavour_id: id,
      timezone,
      interval,
      intervals,
      throughput: { completed, per_interval: rounded(completed / intervals.length) },
      cycle_time: durationsOf(durations.cycleTime),
      age: { planned: durationsOf(durations.plannedAge), active: durationsOf(durations.activeAge) },
      forecast: forecastOf(planned + active, completedByDay(days, now), todayIn(timezone, now)),
    };
    return { progress, title };
  }
}

/** The date in the time zone, as YYYY-MM-DD. */
const todayIn = (timezone: string, now: Date): string =>
  new Date(wallTimeAt(now.getTime(), timezone)).toISOString().slice(0, 10);

const durationsOf = ({ tasks, percentiles }: { tasks: number; percentiles: [number, number] | null }): Durations => ({
  tasks,
  median_hours: percentiles === null ? null : rounded(percentiles[0]),
  p85_hours: percentiles === null ? null : rounded(percentiles[1]),
});
