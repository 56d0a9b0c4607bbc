import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import { notFound } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { deliveryList } from './webhook-delivery.list.js';
import { WebhookDispatcher } from '../webhook-dispatcher.js';

/** Lists deliveries, redelivers them and sends tests. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly dispatcher: WebhookDispatcher,
    private readonly innerLists: ChildLists,
    private readonly repository: WebhookDeliveriesRepository,
  ) {}

  list(me: Caller, webhookId: string, query: RawQuery): Promise<Page> {
    const belongs = (webhook: string) => `d.webhook_id = ${webhook}`;
    return this.innerLists.page(me, webhookId, query, { list: deliveryList, belongs });
  }

  async get(me: Caller, webhookId: string, id: string, fields?: FieldNames): Promise<Representation> {
    await this.access.authorizeWithoutLock(me, 'webhooks_deliveries_get', webhookId);
    return this.find(webhookId, id, fields);
  }

  async test(me: Caller, webhookId: string): Promise<Representation> {
    await this.access.authorize(me, 'webhooks_test', webhookId);
    return this.wakeDispatcher(await this.repository.addTest(webhookId, this.clock.now()));
  }

  /** Sends the test that a receiver must accept before it gets events. */
  async askReceiver(webhookId: string): Promise<void> {
    this.wakeDispatcher(await this.repository.addTest(webhookId, this.clock.now()));
  }

  async redeliver(me: Caller, webhookId: string, id: string): Promise<Representation> {
    await this.access.authorize(me, 'webhooks_deliveries_redeliver', webhookId);
    await this.find(webhookId, id);
    return this.wakeDispatcher(await this.repository.addRedelivery(webhookId, id, this.clock.now()));
  }

  private wakeDispatcher(delivery: Representation): Representation {
    this.database.afterCommit(() => this.dispatcher.wake());
    return delivery;
  }

  private async find(webhookId: string, id: string, fields?: FieldNames): Promise<Representation> {
    const delivery = await this.repository.read(webhookId, id, fields);
    if (delivery === undefined) throw notFound();
    return delivery;
  }
}
