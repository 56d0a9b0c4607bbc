import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import { deliveryList } from './webhook-delivery.list.js';
import { deliveryView } from './webhook-delivery.view.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

const Id = () => Param('id', PathId('webhook'));
const DeliveryId = () => Param('delivery_id', PathId('webhook_delivery'));
const path = { id: 'webhook' } as const;
const deliveryPath = { id: 'webhook', delivery_id: 'webhook_delivery' } as const;

@WithoutDryRun(true)
@ApiTags('Webhooks')
@Controller('webhooks/:id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @TransactionalPost('test')
  @Operation('webhooks_test', {
    summary: 'Test a webhook',
    description:
      'Sends a message of the type `webhook.test` immediately, even if the webhook is disabled. Get the delivery to read ' +
      'its result.',
    status: 201,
    createdIn: '/webhooks/:id/deliveries',
    path,
    response: deliveryView,
  })
  test(@CurrentCaller() me: Caller, @Id() id: string): Promise<Representation> {
    return this.deliveries.test(me, id);
  }

  @Get('deliveries')
  @Operation('webhooks_deliveries_list', {
    summary: 'List the deliveries of a webhook',
    description: 'Returns the deliveries of the webhook. They are kept until 30 days after their month.',
    path,
    list: deliveryList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.deliveries.list(me, id, query);
  }

  @Get('deliveries/:delivery_id')
  @Operation('webhooks_deliveries_get', {
    summary: 'Get a delivery of a webhook',
    description: 'Returns the delivery with the status and the beginning of the latest response.',
    path: deliveryPath,
    resource: deliveryView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @DeliveryId() deliveryId: string,
    @Fields(deliveryView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.deliveries.get(me, id, deliveryId, fields);
  }

  @TransactionalPost('deliveries/:delivery_id/redeliver')
  @Operation('webhooks_deliveries_redeliver', {
    summary: 'Send a delivery again',
    description:
      'Creates a delivery of the same event with the same `webhook-id`, which is sent immediately and out of order. It is ' +
      'skipped if the owner of the webhook can no longer see the event.',
    status: 201,
    createdIn: '/webhooks/:id/deliveries',
    path: deliveryPath,
    response: deliveryView,
  })
  redeliver(@CurrentCaller() me: Caller, @Id() id: string, @DeliveryId() deliveryId: string): Promise<Representation> {
    return this.deliveries.redeliver(me, id, deliveryId);
  }
}
