import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { boundsOf, Callers } from '../../access/callers.js';
import { ApiError } from '../../common/errors.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { csvHeader, csvLines, CSV_TYPE } from '../../platform/http/csv.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { TextStream } from '../../platform/http/text-stream.js';
import { unauthorized } from '../../platform/http/to-api-error.js';
import { ActivityService, ENTRY_COLUMNS, type ActivityPage } from './activity.service.js';
import { readActivityQuery, type ActivityQuery } from './feed-query.js';

const AT_ONCE = 200;

export const csvHeaders = (name: string): Record<string, string> => ({
  'content-type': `${CSV_TYPE}; charset=utf-8; header=present`,
  'content-disposition': `attachment; filename="${name}.csv"`,
});

/** Sends the whole activity as CSV, page by page as its reader takes it, as long as the reader may see it. */
@Injectable()
export class ActivityExport {
  /** Users to whom this process is sending one. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly activity: ActivityService,
    private readonly audit: AuditTrail,
    private readonly callers: Callers,
    private readonly context: RequestContext,
  ) {}

  async send(me: Caller, raw: RawQuery): Promise<TextStream> {
    const query = { ...readActivityQuery(raw), limit: AT_ONCE };
    if (this.underWay.has(me.userId)) {
      throw new ApiError(
        'rate_limited',
        'Another export of yours is still running; try again when it has finished.',
        {},
        5,
      );
    }
    this.underWay.add(me.userId);
    try {
      const first = await this.activity.read(me, query);
      await this.audit.record({
        action: 'activity.exported',
        userId: me.userId,
        entityType: 'user',
        entityId: me.userId,
      });
      const body = Readable.from(this.lines(me, query, first), { objectMode: false, highWaterMark: 1 });
      body.once('close', () => this.underWay.delete(me.userId));
      return new TextStream(body, csvHeaders('activity'));
    } catch (error) {
      this.underWay.delete(me.userId);
      throw error;
    }
  }

  private async *lines(me: Caller, query: ActivityQuery, first: ActivityPage): AsyncGenerator<string> {
    yield csvHeader(ENTRY_COLUMNS) + csvLines(ENTRY_COLUMNS, first.entries);
    for (let { next } = first; next !== null;) {
      const page = await this.behind(me, { ...query, before: next });
      if (page.entries.length > 0) yield csvLines(ENTRY_COLUMNS, page.entries);
      ({ next } = page);
    }
  }

  /** With the rights of that moment; an answer whose session has ended breaks off. */
  private async behind(me: Caller, query: ActivityQuery): Promise<ActivityPage> {
    const present = await this.callers.present(me);
    if (present === undefined) throw unauthorized();
    return this.context.within(boundsOf(present), () => this.activity.read(present.caller, query));
  }
}
