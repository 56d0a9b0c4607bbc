import { Injectable } from '@nestjs/common';
import { newId } from '../../../common/ids.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../../platform/database/views/view.js';
import { deliveryView } from './webhook-delivery.view.js';

/** Reads deliveries, and creates redeliveries and tests. */
@Injectable()
export class WebhookDeliveriesRepository {
  constructor(private readonly database: Database) {}

  async read(webhookId: string, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `d.id = $2 AND d.webhook_id = $3 AND $1::text IS NULL`;
    const row = await this.database.queryPipelined<Json>(oneAsJson(deliveryView, where, fields), [null, id, webhookId]);
    return row && Representation.of(row);
  }

  addTest(webhookId: string, now: Date): Promise<Representation> {
    return this.add(
      `INSERT INTO webhook_deliveries (id, webhook_id, type, due_at) VALUES ($2, $3, 'webhook.test', $1)`,
      [now, newId('webhook_delivery'), webhookId],
    );
  }

  /** Adds a delivery of the same event, which is sent without waiting for other deliveries. */
  addRedelivery(webhookId: string, deliveryId: string, now: Date): Promise<Representation> {
    return this.add(
      `INSERT INTO webhook_deliveries (id, webhook_id, type, event_id, entity_id, sequence, redelivery_of, due_at)
       SELECT $2, d.webhook_id, d.type, d.event_id, d.entity_id, d.sequence, d.id, $1
       FROM webhook_deliveries d WHERE d.webhook_id = $3 AND d.id = $4`,
      [now, newId('webhook_delivery'), webhookId, deliveryId],
    );
  }

  private async add(sql: string, values: [Date, string, string, ...string[]]): Promise<Representation> {
    const [now, id, webhookId] = values;
    await this.database.query(sql, values);
    await this.database.query(
      'UPDATE webhook_states SET due_at = least(due_at, $2::timestamptz), rest_until = NULL WHERE webhook_id = $1',
      [webhookId, now],
    );
    return Representation.of({ id, revision: null, body: (await this.read(webhookId, id))?.body ?? '' });
  }
}
