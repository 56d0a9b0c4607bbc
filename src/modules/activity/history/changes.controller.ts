import { Controller, Get, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { Streams } from '../../../platform/http/server/route-metadata.js';
import { FeedSlice } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { eventsSchema } from '../event.schema.js';
import { FeedWaits } from '../feed/feed-waits.js';
import { FEED_PARAMETERS, STREAM_PARAMETERS } from '../feed/feed-query.js';

@ApiTags('Changes')
@Controller('changes')
export class ChangesController {
  constructor(private readonly waits: FeedWaits) {}

  @Get()
  @Streams(true)
  @Operation('changes_list', {
    summary: 'List changes',
    description:
      'Returns the events of all entities that you can see now, in the order in which they became visible. To ' +
      'continue, send meta.next as after; no event appears later at an earlier position. A page can have fewer ' +
      'events than limit, or none, although more follow: meta.has_more is true in that case. Events do not ' +
      'contain texts that can be erased later. visibility.gained and visibility.lost name the endeavours and ' +
      'organizations of which you, or the members of an organization, can see more or less than before. ' +
      'visibility.gained about an endeavour confirms that you can see it.',
    query: FEED_PARAMETERS,
    document: eventsSchema(),
    tagged: true,
    refuses: ['gone'],
  })
  list(
    @CurrentCaller() me: Caller,
    @QueryParameters() query: RawQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedSlice> {
    return this.waits.page(me, query, reply);
  }

  @Get('stream')
  @Streams(true)
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Continues after the event with this sequence; takes precedence over after.',
    schema: { type: 'string' },
  })
  @Operation('changes_stream_get', {
    summary: 'Stream changes',
    description:
      'Returns the same events as Server-Sent Events as they occur. The id of each message is the sequence, its ' +
      'event is change, and its data is the event as JSON. A comment line is sent every 15 seconds. The stream ' +
      'ends with the session that opened it. A user can have at most five streams and waiting requests at a time.',
    query: STREAM_PARAMETERS,
    produces: 'text/event-stream',
    refuses: ['gone'],
  })
  stream(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery, @Res() reply: FastifyReply): Promise<void> {
    return this.waits.stream(me, query, reply);
  }
}
