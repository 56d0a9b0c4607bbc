import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { Settings } from '../../platform/config/settings.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { ActivityModule } from '../activity/activity.module.js';
import { NotificationFeedRepository } from './notification-feed.repository.js';
import { NotificationMaker } from './notification-maker.js';
import { NotificationMails } from './notification-mails.js';
import { NotificationMailsRepository } from './notification-mails.repository.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

/** Notifications of users, and their mails. */
@Module({
  imports: [ActivityModule],
  controllers: [NotificationsController],
  providers: [
    NotificationFeedRepository,
    NotificationMaker,
    NotificationMails,
    NotificationMailsRepository,
    NotificationsRepository,
    NotificationsService,
  ],
})
export class NotificationsModule {
  constructor(eraser: ContainerEraser, housekeeping: Housekeeping, { EVENTS_DAYS }: Settings) {
    eraser.attach({
      parts: [{ table: 'notifications', column: 'entity_id' }],
      references: [{ table: 'notifications', column: 'source_id' }],
    });
    housekeeping.discard('notifications', `occurred_at < now() - make_interval(days => ${EVENTS_DAYS})`);
  }
}
