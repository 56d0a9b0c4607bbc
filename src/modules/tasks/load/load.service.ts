import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { notFound } from '../../../common/errors.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { UsersService } from '../../users/users.service.js';
import { comingPeriod, PERIOD_READERS, periodIn, periodParameters, type PeriodQuery } from '../progress/period.js';
import { LoadRepository, type Weeks } from './load.repository.js';
import {
  byWeek,
  exact,
  spentByWeek,
  weeklyLoadOf,
  undatedOf,
  weeksOf,
  type EndeavourLoad,
  type ResourceLoad,
} from './load.rules.js';

const BOUNDS = { usual: 77, most: 366, furthest: 3_660 };

export const LOAD_PARAMETERS = periodParameters({ from: 'now', to: '11 weeks after from' });

/** Compares the planned work of the coming weeks with the capacity of resources. */
@Injectable()
export class LoadService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly repository: LoadRepository,
    private readonly users: UsersService,
  ) {}

  /** The visible tasks of the resource, by weeks in the caller's time zone. */
  async ofResource(me: Caller, id: string, query: RawQuery): Promise<ResourceLoad> {
    const sent = periodIn(readQuery(query, PERIOD_READERS));
    if ((await this.access.find(me, id)) === undefined) throw notFound();
    const { timezone } = await this.users.localeOf(me.userId);
    const { starts, capacity, work, spent, elsewhere } = await this.repository.ofResource(
      me,
      id,
      this.weeks(sent, timezone),
    );
    const weeks = weeksOf(starts);
    const workByWeek = byWeek(work, weeks.length);
    const spentHours = spentByWeek(spent, weeks.length);
    return {
      resource_id: id,
      timezone,
      weekly_capacity: capacity,
      weeks: weeks.map((week, n) => ({ ...week, ...workByWeek[n], spent_hours: spentHours[n] })),
      undated: undatedOf(work),
      elsewhere: elsewhere === null ? null : exact(elsewhere),
    };
  }

  /** The tasks of the endeavour by assignee, by weeks in its time zone. */
  async ofEndeavour(me: Caller, id: string, query: RawQuery): Promise<EndeavourLoad> {
    const sent = periodIn(readQuery(query, PERIOD_READERS));
    await this.access.authorizeWithoutLock(me, 'endeavours_load_get', id);
    const timezone = await this.endeavours.timezoneOf(id);
    const row = await this.repository.ofEndeavour(me, id, this.weeks(sent, timezone));
    const weeks = weeksOf(row.starts);
    return {
      endeavour_id: id,
      timezone,
      weeks,
      resources: row.assignees.map(({ id: resource_id, name, capacity, work, spent, elsewhere }) => ({
        resource_id,
        resource_name: name,
        weekly_capacity: capacity,
        ...weeklyLoadOf(work, weeks.length),
        spent_hours: spentByWeek(spent, weeks.length),
        elsewhere: elsewhere === null ? null : exact(elsewhere),
      })),
      omitted: row.omitted,
      unassigned: weeklyLoadOf(row.unassigned, weeks.length),
    };
  }

  private weeks(sent: PeriodQuery, timezone: string): Weeks {
    const now = this.clock.now();
    return { timezone, now, period: comingPeriod(sent, timezone, now, BOUNDS) };
  }
}
