import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { PartitionUpkeep } from '../../platform/partitions/partition-upkeep.js';
import { ActivityModule } from '../activity/activity.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TargetLookup } from './target-lookup.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { WebhookDeliveriesRepository } from './deliveries/webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { DELIVERY_PARTITIONS } from './deliveries/webhook-delivery.partitions.js';
import { WebhookDisabling } from './webhook-disabling.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookFanOut } from './webhook-fan-out.js';
import { WebhookFeedRepository } from './webhook-feed.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookTargets } from './webhook-targets.js';
import { WebhookBatchSender } from './webhook-batch-sender.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** Sends events to other programs. */
@Module({
  imports: [ActivityModule, MessagesModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    TargetLookup,
    WebhookDeliveriesRepository,
    WebhookDeliveriesService,
    WebhookDisabling,
    WebhookDispatcher,
    WebhookFanOut,
    WebhookFeedRepository,
    WebhookSecrets,
    WebhookSender,
    WebhookTargets,
    WebhookBatchSender,
    WebhookQueueRepository,
    WebhooksRepository,
    WebhooksService,
  ],
})
export class WebhooksModule {
  constructor(eraser: ContainerEraser, partitions: PartitionUpkeep) {
    const parts = ['webhook_states', 'webhook_deliveries'].map((table) => ({ table, column: 'webhook_id' }));
    eraser.register({ kind: 'webhook', table: 'webhooks', parts });
    partitions.register(DELIVERY_PARTITIONS);
  }
}
