import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';

const HOUR_MS = 3_600_000;
const AT_ONCE = 1_000;

/** The events that histories keep permanently: creations, deletions, status changes, and all events of versions. */
const KEPT = `v.type LIKE '%.created' OR v.type LIKE '%.deleted' OR 'status' = ANY(v.changed)
  OR v.entity_type IN ('dod_policy', 'ritual', 'template')`;

/** Takes what is older than EVENTS_DAYS out of the feed, bit by bit. */
@Injectable()
export class FeedRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly eventEraser: EventEraser,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.every('feed_retention', HOUR_MS, () => this.drop());
  }

  private async drop(): Promise<void> {
    while (await this.dropSome()) continue;
  }

  /** Whether more may follow. The commit that removes events also updates the oldest available sequence. */
  private dropSome(): Promise<boolean> {
    return this.database.transaction(() =>
      this.eventEraser.unlocked(async () => {
        const row = await this.database.one<{ dropped: number }>(
          `WITH edge AS (
             SELECT feed_sequence_before(clock_timestamp() - make_interval(days => $1)) AS sequence),
           old AS (
             SELECT f.sequence, f.event_sequence FROM feed f, edge WHERE f.sequence <= edge.sequence
             ORDER BY f.sequence LIMIT ${AT_ONCE}),
           moved AS (UPDATE feed_state SET dropped = greatest(dropped, (SELECT max(sequence) FROM old))
             WHERE EXISTS (SELECT 1 FROM old)),
           entries AS (DELETE FROM feed f USING old WHERE f.sequence = old.sequence),
           gone AS (DELETE FROM events v USING old WHERE v.sequence = old.event_sequence AND NOT (${KEPT}))
           SELECT count(*)::integer AS dropped FROM old`,
          [this.settings.EVENTS_DAYS],
        );
        return row?.dropped === AT_ONCE;
      }),
    );
  }
}
