import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { SignInsRepository } from '../../platform/audit/sign-ins.repository.js';
import { ActivityCountsRepository } from './activity-counts.repository.js';
import type { ActivityPeriod, ActivityQuery } from './activity-query.js';

const HOURS = 24;

/** What happened in one hour of the day, in UTC. */
interface HourlyActivity {
  hour: number;
  logins: number;
  tasks: number;
  demands: number;
  endeavours: number;
}

/** The properties of the hours, by the kind of entity that an event is about. */
const COUNTED: Readonly<Record<string, 'tasks' | 'demands' | 'endeavours'>> = {
  task: 'tasks',
  demand: 'demands',
  endeavour: 'endeavours',
};

/** The totals and hours of a period of activity. */
export interface ActivityOverviewResult {
  summary: { total: number };
  hourly: HourlyActivity[];
}

/** Summarizes a period of activity, and counts it by the hours of the day. */
@Injectable()
export class ActivityOverview {
  constructor(
    private readonly counts: ActivityCountsRepository,
    private readonly signIns: SignInsRepository,
  ) {}

  async read(
    me: Caller,
    { endeavourIds, organizationIds }: ActivityQuery,
    period: ActivityPeriod,
  ): Promise<ActivityOverviewResult> {
    const rows = await this.counts.byHourOfDay(me, period.from, period.to, { endeavourIds, organizationIds });
    const logins = await this.signIns.byHourOfDay(me.userId, period.from, period.to);
    const hourly = Array.from({ length: HOURS }, (_, hour): HourlyActivity => {
      const of = { hour, logins: logins.get(hour) ?? 0, tasks: 0, demands: 0, endeavours: 0 };
      for (const { entity_type, count } of rows.filter((row) => row.hour === hour)) {
        if (Object.hasOwn(COUNTED, entity_type)) of[COUNTED[entity_type]] += count;
      }
      return of;
    });
    return { summary: { total: rows.reduce((sum, { count }) => sum + count, 0) }, hourly };
  }
}
