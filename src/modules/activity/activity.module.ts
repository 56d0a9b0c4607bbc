import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { RelationsModule } from '../relations/relations.module.js';
import { ActivityController } from './activity.controller.js';
import { ActivityCountsRepository } from './activity-counts.repository.js';
import { ActivityExport } from './activity-export.js';
import { ActivityOverview } from './activity-overview.js';
import { ActivityService } from './activity.service.js';
import { ActivitySummary } from './activity-summary.js';
import { ChangesController } from './history/changes.controller.js';
import { FeedConsumers } from './feed/feed-consumers.js';
import { FeedHead } from './feed/feed-head.js';
import { FeedRepository } from './feed/feed.repository.js';
import { FeedRetention } from './feed/feed-retention.js';
import { FeedService } from './feed/feed.service.js';
import { FeedWaits } from './feed/feed-waits.js';
import { FeedWatch } from './feed/feed-watch.js';
import { HISTORY_CONTROLLERS } from './history/history.controllers.js';
import { HistoryService } from './history/history.service.js';

/** Provides the feed of changes, change histories and the activity. */
@Module({
  imports: [InvitationsModule, MessagesModule, RelationsModule],
  controllers: [ActivityController, ChangesController, ...HISTORY_CONTROLLERS],
  providers: [
    ActivityCountsRepository,
    ActivityExport,
    ActivityOverview,
    ActivityService,
    ActivitySummary,
    FeedConsumers,
    FeedHead,
    FeedRepository,
    FeedRetention,
    FeedService,
    FeedWaits,
    FeedWatch,
    HistoryService,
  ],
  exports: [FeedConsumers, FeedHead, FeedRepository],
})
export class ActivityModule {
  constructor(eraser: ContainerEraser) {
    eraser.attach({ parts: [{ table: 'activity_counts', column: 'place' }], references: [] });
  }
}
