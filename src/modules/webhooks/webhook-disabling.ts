import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { MessagesService } from '../messages/messages.service.js';
import { Webhook, type DisabledReason } from './webhook.entity.js';
import { webhookView } from './webhook.view.js';
import { WebhooksRepository } from './webhooks.repository.js';

const INTERVAL_MS = 10_000;

const REASONS: Record<DisabledReason, string> = {
  owner_left: 'its owner no longer has the admin role here. An admin who enables it becomes its owner',
  moved: 'the home organization of its endeavour changed. An admin who enables it becomes its owner',
  failing: 'no delivery succeeded for five days',
  gone: 'its receiver responded with 410 Gone',
};

/** Disables webhooks that are no longer allowed to send or whose receiver fails, and notifies the admins. */
@Injectable()
export class WebhookDisabling implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly messages: MessagesService,
    private readonly repository: WebhooksRepository,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('webhooks', INTERVAL_MS, () => this.disableOrphans());
  }

  /** Disables the webhook if it is no longer allowed to send; returns whether it was disabled. */
  disableOrphan(id: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const webhook = await this.repository.lockEnabled(id);
      const reason = webhook && (await this.repository.disablingReason(id));
      if (webhook === undefined || !reason) return false;
      await this.end(webhook, reason);
      return true;
    });
  }

  async disable(id: string, reason: 'failing' | 'gone'): Promise<void> {
    await this.database.transaction(async () => {
      const webhook = await this.repository.lockEnabled(id);
      if (webhook !== undefined) await this.end(webhook, reason);
    });
  }

  private async disableOrphans(): Promise<void> {
    await this.repository.storeFirstHomes();
    for (const id of await this.repository.orphans()) await this.disableOrphan(id);
  }

  private async end(current: Webhook, disabledReason: DisabledReason): Promise<void> {
    const { id, organizationId, endeavourId, url } = current;
    const reason = REASONS[disabledReason];
    await this.repository.endPending(id, `The webhook was disabled: ${reason}.`);
    await this.writer.patch(null, webhookView, Webhook, {
      current,
      changes: { isEnabled: false, disabledReason },
      place: { organizationId, endeavourId },
    });
    const recipients = await this.repository.adminsOf(current);
    if (recipients.length === 0) return;
    await this.messages.send(null, {
      recipients,
      subject: 'A webhook was disabled',
      content: `The webhook to ${new URL(url).host} was disabled: ${reason}. Events that occur while it is disabled are not sent.`,
      intent: 'alert',
      entityId: id,
    });
  }
}
