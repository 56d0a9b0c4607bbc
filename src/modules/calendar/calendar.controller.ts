import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsCalendarToken } from '../../access/authentication/calendar-tokens.js';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../platform/http/responses/raw-response.js';
import { BOUNDS, CALENDAR_TYPE, CalendarService } from './calendar.service.js';

@ApiTags('Endeavours')
@Controller('endeavours')
export class CalendarController {
  constructor(private readonly calendars: CalendarService) {}

  @Get(':id/calendar.ics')
  @AcceptsCalendarToken(true)
  @Operation('endeavours_calendar_get', {
    summary: 'Calendar of an endeavour',
    description:
      'Returns the due dates of open tasks and demands and the next occurrences of rituals as an iCalendar file (RFC ' +
      '5545) that calendar programs can subscribe to. Create a token with POST /auth/tokens and `kind: calendar`, and ' +
      'send it as `token`; the response is 401 if its user can no longer see the endeavour. Contains at most ' +
      `${BOUNDS.deadlines} due dates from ${BOUNDS.past} days ago to ${BOUNDS.future} days from now, the earliest ` +
      `first, and the next ${BOUNDS.occurrences} occurrences of at most ${BOUNDS.rituals} rituals.`,
    path: { id: 'endeavour' },
    query: {
      token: {
        description: 'A calendar token for this endeavour. Not needed with an `Authorization` header.',
        schema: { type: 'string', pattern: '^wsk_[0-9A-Za-z]{46}$' },
      },
    },
    produces: CALENDAR_TYPE,
    tagged: true,
  })
  calendar(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<RawResponse> {
    return this.calendars.calendar(me, id, query);
  }
}

@ApiTags('Work')
@Controller('calendar.ics')
export class OwnCalendarController {
  constructor(private readonly calendars: CalendarService) {}

  @Get()
  @AcceptsCalendarToken(true)
  @Operation('calendar_get', {
    summary: 'Own calendar',
    description:
      'Returns the due dates of open tasks that you or your teams are assigned to or own, and of open demands that you own, in ' +
      'all endeavours that you see, as an iCalendar file (RFC 5545). Create a token with POST /auth/tokens and `kind: ' +
      'calendar` without an endeavour, and send it as `token`. Contains at most ' +
      `${BOUNDS.deadlines} due dates from ${BOUNDS.past} days ago to ${BOUNDS.future} days from now, the earliest first.`,
    query: {
      token: {
        description: 'A calendar token without an endeavour. Not needed with an `Authorization` header.',
        schema: { type: 'string', pattern: '^wsk_[0-9A-Za-z]{46}$' },
      },
    },
    produces: CALENDAR_TYPE,
    tagged: true,
  })
  calendar(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<RawResponse> {
    return this.calendars.ownCalendar(me, query);
  }
}
