import { Controller, Get, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { Streams } from '../../platform/http/marks.js';
import { FeedSlice } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { eventsSchema } from './event.schema.js';
import { FeedWaits } from './feed-waits.js';
import { FEED_PARAMETERS, STREAM_PARAMETERS } from './feed-query.js';

@ApiTags('Changes')
@Controller('changes')
export class ChangesController {
  constructor(private readonly waits: FeedWaits) {}

  @Get()
  @Streams(true)
  @Operation('changes_list', {
    summary: 'Follow changes',
    description:
      'The events of everything that you may see now, in the order in which they became visible. Send meta.next as after ' +
      'to go on: nothing ever appears behind a cursor that was handed out. A page may have fewer events than limit, or ' +
      'none, and still have more behind it: meta.has_more says so. An event keeps no texts that may be taken back. ' +
      'visibility.gained and visibility.lost say of which endeavours and organizations you, or the members of an ' +
      'organization, see more or less than before.',
    query: FEED_PARAMETERS,
    document: eventsSchema(),
    tagged: true,
    refuses: ['gone'],
  })
  list(
    @Me() me: Caller,
    @Query() query: RawQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedSlice> {
    return this.waits.page(me, query, reply);
  }

  @Get('stream')
  @Streams(true)
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Goes on behind this event, whatever after says.',
    schema: { type: 'string' },
  })
  @Operation('changes_stream', {
    summary: 'Follow changes as a stream',
    description:
      'The same events as Server-Sent Events, as they come: the id of each is its sequence, its event is change, its data ' +
      'the event as JSON. A comment line comes every 15 seconds. The stream ends with the session that opened it. Five ' +
      'streams and waiting requests of one user are served at once.',
    query: STREAM_PARAMETERS,
    produces: 'text/event-stream',
    refuses: ['gone'],
  })
  stream(@Me() me: Caller, @Query() query: RawQuery, @Res() reply: FastifyReply): Promise<void> {
    return this.waits.stream(me, query, reply);
  }
}
