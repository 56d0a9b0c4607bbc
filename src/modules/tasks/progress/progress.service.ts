import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { invalidInput, referenceNotFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { wallTimeAt } from '../../../common/time.js';
import { Database } from '../../../platform/database/database.js';
import { referenceTo } from '../../../platform/http/bodies/fields/links.js';
import { pictureResponse, SVG_TYPE } from '../../../platform/http/responses/picture-response.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { Clock } from '../../../platform/jobs/clock.js';
import type { Parsed } from '../../../platform/http/requests/parsed.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { PERIOD_READERS, pastPeriod, periodIn, periodParameters, type PeriodBounds } from './period.js';
import { forecastOf } from './forecast.rules.js';
import { ProgressRepository, type FlowRequest, type FlowRow } from './progress.repository.js';
import {
  completedByDay,
  daysOf,
  DIVISIONS,
  durationsOf,
  intervalsOf,
  MEASURES,
  PROGRESS_INTERVALS,
  rounded,
  type Measure,
  type Progress,
  type ProgressInterval,
  type StageFlow,
} from './progress.rules.js';
import { progressSvg } from './progress.svg.js';
import { StageFlowRepository } from './stage-flow.repository.js';
import { stageFlowsOf } from './stage-flow.rules.js';

const BOUNDS: Record<ProgressInterval, PeriodBounds> = {
  day: { usual: 29, most: 366 },
  week: { usual: 77, most: 1_830 },
};

const oneOf =
  (allowed: readonly string[], message: string) =>
  (raw: string): Parsed =>
    allowed.includes(raw) ? { value: raw } : { code: 'invalid_value', message, allowed };

const READERS = {
  ...PERIOD_READERS,
  interval: oneOf(PROGRESS_INTERVALS, 'Must be day or week.'),
  measure: oneOf(MEASURES, 'Must be count, hours or points.'),
  by: oneOf(DIVISIONS, 'Must be status or stage.'),
  under: (raw: string): Parsed =>
    isId('task', raw) ? { value: raw } : { code: 'invalid_format', message: 'Must be the id or the key of a task.' },
};

export const PROGRESS_PARAMETERS = {
  interval: {
    description:
      'The length of the intervals. Days and weeks (from Monday) are those of the time zone of the endeavour.',
    schema: { type: 'string', enum: [...PROGRESS_INTERVALS], default: 'day' },
  },
  measure: {
    description:
      'Whether tasks count singly, with their estimates in hours, or with their points. A task has the size that it has now, also in the past; without an estimate or points it has none.',
    schema: { type: 'string', enum: [...MEASURES], default: 'count' },
  },
  under: {
    description: 'Only the tasks below this task of the endeavour on any level, by its id or key.',
    schema: referenceTo('task'),
    kinds: ['task'] as const,
  },
  by: {
    description:
      'With stage, `stages` has the flow through each stage, and how long tasks were in it, and the picture shows stages; ' +
      'where an endeavour has none, the picture is by status.',
    schema: { type: 'string', enum: [...DIVISIONS], default: 'status' },
  },
  ...periodParameters({ from: '30 days or 12 weeks that end with to', to: 'now, which is also the latest' }),
};

/** Computes the progress of endeavours and forecasts their end. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly endeavours: EndeavoursService,
    private readonly repository: ProgressRepository,
    private readonly stageFlows: StageFlowRepository,
  ) {}

  async progress(me: Caller, id: string, query: RawQuery): Promise<Progress> {
    return (await this.read(me, id, readQuery(query, READERS))).progress;
  }

  /** The progress of the last 30 days, by stage too, for the report page of the endeavour. */
  async recent(me: Caller, id: string): Promise<Progress> {
    return (await this.read(me, id, new Map([['by', 'stage']]))).progress;
  }

  /** The cumulative flow of the period as an SVG image. */
  async picture(me: Caller, id: string, query: RawQuery): Promise<RawResponse> {
    const { progress, title } = await this.read(me, id, readQuery(query, READERS));
    return pictureResponse(SVG_TYPE, progressSvg(title, progress, progress.measure));
  }

  private read(
    me: Caller,
    id: string,
    values: ReadonlyMap<string, unknown>,
  ): Promise<{ progress: Progress; title: string }> {
    return this.database.report(() => this.readNow(me, id, values));
  }

  private async readNow(
    me: Caller,
    id: string,
    values: ReadonlyMap<string, unknown>,
  ): Promise<{ progress: Progress; title: string }> {
    const interval = (values.get('interval') as ProgressInterval | undefined) ?? 'day';
    const measure = (values.get('measure') as Measure | undefined) ?? 'count';
    const under = values.get('under') as string | undefined;
    const { title } = await this.access.authorizeWithoutLock(me, 'endeavours_progress_get', id);
    if (under !== undefined && !(await this.repository.hasTask(id, under))) {
      throw invalidInput([referenceNotFound('under')]);
    }
    const timezone = await this.endeavours.timezoneOf(id);
    const now = this.clock.now();
    const period = pastPeriod(periodIn(values), timezone, now, BOUNDS[interval]);
    const request = { timezone, interval, measure, under, period, now };
    const { days: starts, moves, repeated, counts, spent, ...durations } = await this.repository.read(id, request);
    const days = daysOf(starts, { moves, repeated }, { planned: 0, active: 0, done: 0, canceled: 0, ...counts });
    const intervals = intervalsOf(days, interval);
    const completed = days.reduce((sum, day) => sum + day.completed, 0);
    const { planned = 0, active = 0 } = counts;
    const progress = {
      endeavour_id: id,
      timezone,
      interval,
      measure,
      intervals,
      throughput: { completed: rounded(completed), per_interval: rounded(completed / intervals.length) },
      cycle_time: durationsOf(durations.cycleTime),
      age: { planned: durationsOf(durations.plannedAge), active: durationsOf(durations.activeAge) },
      time_spent: timeSpentOf(spent),
      forecast: forecastOf(rounded(planned + active), completedByDay(days, now), todayIn(timezone, now)),
      stages: values.get('by') === 'stage' ? await this.stageFlowsOf(id, request, days.length) : null,
    };
    return { progress, title };
  }

  private async stageFlowsOf(id: string, request: FlowRequest, days: number): Promise<StageFlow[]> {
    const stages = await this.endeavours.stagesOf(id);
    if (stages === null) return [];
    return stageFlowsOf(stages, await this.stageFlows.read(id, request), { days, interval: request.interval });
  }
}

/** The date in the time zone, as YYYY-MM-DD. */
const todayIn = (timezone: string, now: Date): string =>
  new Date(wallTimeAt(now.getTime(), timezone)).toISOString().slice(0, 10);

const timeSpentOf = ({ minutes, people, most }: FlowRow['spent']): Progress['time_spent'] => ({
  hours: rounded(minutes / 60),
  resources: most.map((one) => ({ resource_id: one.id, resource_name: one.name, hours: rounded(one.minutes / 60) })),
  omitted: people - most.length,
});
