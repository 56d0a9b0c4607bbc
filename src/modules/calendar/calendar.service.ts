import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import { isTokenOfOtherCalendar } from '../../access/authentication/calendar-tokens.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { addDays } from '../../common/time.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RawResponse } from '../../platform/http/responses/raw-response.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import { Clock } from '../../platform/jobs/clock.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { RitualsRepository, type ScheduledRitual } from '../rituals/rituals.repository.js';
import { nextTimes } from '../rituals/schedules/schedule.js';
import { CalendarRepository, type Deadline } from './calendar.repository.js';
import { calendarText, type CalendarEvent } from './icalendar.js';

export const CALENDAR_TYPE = 'text/calendar';

/** The limits of a calendar, in days and entries. */
export const BOUNDS = { past: 30, future: 365, deadlines: 2_000, rituals: 100, occurrences: 30 };

/** Accepts the parameter `token`, which the guard has already read. */
const READERS = { token: (raw: string) => ({ value: raw }) };

/** Renders the due dates and ritual occurrences of an endeavour, or the due dates of a user, as an iCalendar file. */
@Injectable()
export class CalendarService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly repository: CalendarRepository,
    private readonly rituals: RitualsRepository,
  ) {}

  async calendar(me: Caller, id: string, query: RawQuery): Promise<RawResponse> {
    // Calendar programs add parameters of their own.
    readQuery({ ...query, lenient: true }, READERS);
    if (isTokenOfOtherCalendar(me, 'endeavour')) throw unauthorized();
    const { title } = await this.findEndeavour(me, id);
    const timezone = await this.endeavours.timezoneOf(id);
    const now = this.clock.now();
    const period = periodAround(now, timezone);
    const deadlines = await this.repository.deadlines(id, period, BOUNDS.deadlines);
    const events = deadlines.map(deadlineEvent);
    for (const ritual of await this.rituals.scheduledIn(id, BOUNDS.rituals)) {
      events.push(...occurrences(ritual, timezone, now));
      // Time zone calculations are slow, so other requests get a turn after each ritual.
      await nextTurn();
    }
    return responseOf({ name: title, timezone }, events);
  }

  /** The due dates of what the caller is assigned to or owns, also through a team, in all endeavours that they see. */
  async ownCalendar(me: Caller, query: RawQuery): Promise<RawResponse> {
    readQuery({ ...query, lenient: true }, READERS);
    if (isTokenOfOtherCalendar(me, 'own')) throw unauthorized();
    const timezone = await this.repository.timezoneOf(me.userId);
    const mine = await this.assignments.ownAssigneeIds(me);
    const period = periodAround(this.clock.now(), timezone);
    const deadlines = await this.repository.ownDeadlines(me.userId, mine, period, BOUNDS.deadlines);
    return responseOf({ name: me.name, timezone }, deadlines.map(deadlineEvent));
  }

  /** 404 if the endeavour is not visible, or 401 with a calendar token, which is then no longer valid. */
  private async findEndeavour(me: Caller, id: string): Promise<AuthorizedResource> {
    const endeavour = await this.access.find(me, id);
    if (endeavour !== undefined) return endeavour;
    throw me.isCalendarToken === true ? unauthorized() : notFound();
  }
}

const periodAround = (now: Date, timezone: string): { from: Date; to: Date } => ({
  from: addDays(now, -BOUNDS.past, timezone),
  to: addDays(now, BOUNDS.future, timezone),
});

const responseOf = (calendar: { name: string; timezone: string }, events: CalendarEvent[]): RawResponse =>
  new RawResponse(calendarText(calendar, events), { 'content-type': `${CALENDAR_TYPE}; charset=utf-8` });

/** A day becomes an all-day event. */
function deadlineEvent(deadline: Deadline): CalendarEvent {
  const { id, kind, key, title, status, assignee, endeavour, dueDate, dueDay, updatedAt, revision } = deadline;
  const parts = [
    kind === 'task' ? 'Task' : 'Demand',
    status.replace('_', ' '),
    assignee && `assigned to ${assignee}`,
    endeavour,
  ];
  return {
    uid: `${id}@worksmith`,
    title: key === null ? title : `${key} ${title}`,
    description: parts.filter(Boolean).join(', '),
    category: kind,
    changedAt: updatedAt,
    sequence: revision - 1,
    at: dueDay ?? dueDate,
  };
}

function occurrences(ritual: ScheduledRitual, timezone: string, now: Date): CalendarEvent[] {
  const { id, name, schedule, createdAt, updatedAt, revision } = ritual;
  return nextTimes(schedule, now, BOUNDS.occurrences, { timezone, start: createdAt }).map((at) => ({
    uid: `${id}-${at.getTime() / 1_000}@worksmith`,
    title: name,
    description: 'Ritual',
    category: 'ritual',
    changedAt: updatedAt,
    sequence: revision - 1,
    at,
  }));
}
