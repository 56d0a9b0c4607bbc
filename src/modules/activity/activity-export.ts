import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField } from '../../common/errors.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { AuditTrail, type AuditedAction } from '../../platform/audit/audit-trail.js';
import { Database } from '../../platform/database/database.js';
import { CSV_TYPE } from '../../platform/http/responses/csv.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { StreamedList } from '../../platform/http/responses/streamed-list.js';
import { ExportLimiter } from '../../platform/limits/export-limiter.js';
import { ActivityService, ENTRY_COLUMNS, isBefore, isWithin } from './activity.service.js';
import { FeedHead } from './feed/feed-head.js';
import { readActivityQuery, type ActivityQuery } from './activity-query.js';

const PAGE_SIZE = 200;
const MAX_SECONDS = 60;

/** Streams the whole activity as CSV from one snapshot, page by page, like the exports of lists. */
@Injectable()
export class ActivityExport {
  constructor(
    private readonly activity: ActivityService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly head: FeedHead,
    private readonly limiter: ExportLimiter,
  ) {}

  stream(me: Caller, raw: RawQuery): StreamedList {
    const query = { ...readActivityQuery(raw), limit: PAGE_SIZE };
    if (query.offset !== undefined)
      throw invalidField(
        'offset',
        'invalid_value',
        `offset cannot be used with ${CSV_TYPE}, which returns the complete list.`,
      );
    const source = (send: (rows: AsyncIterable<JsonRecord[]>) => Promise<void>): Promise<void> =>
      this.limiter.run(async () => {
        // The assignment of sequences writes, which is not possible in the read-only snapshot.
        const head = await this.head.assignSequences();
        await this.database.snapshot(MAX_SECONDS, async () => {
          await this.limiter.claim(me.userId);
          this.database.deliver();
          await this.database.besideSnapshot(() => this.audit.recordExport(me.userId, actOf(me)));
          await send(this.entries(me, query, query.before ?? head + 1));
        });
      });
    return new StreamedList('activity', source, CSV_TYPE, ENTRY_COLUMNS);
  }

  private async *entries(me: Caller, query: ActivityQuery, begin: number): AsyncGenerator<JsonRecord[], undefined> {
    const end = performance.now() + MAX_SECONDS * 1_000;
    for (let before: number | null = begin; before !== null;) {
      if (performance.now() > end) throw new Error(`The export of the activity took more than ${MAX_SECONDS} seconds.`);
      const { entries, next } = await this.activity.readBefore(me, query, before);
      const rows = entries.filter((entry) => isWithin(query, entry.occurred_at));
      if (rows.length > 0) yield rows;
      before = entries.some(({ occurred_at }) => isBefore(query, occurred_at)) ? null : next;
    }
    return undefined;
  }
}

const actOf = ({ userId }: Caller): AuditedAction => ({
  action: 'activity.exported',
  entityType: 'user',
  entityId: userId,
  userId,
});
