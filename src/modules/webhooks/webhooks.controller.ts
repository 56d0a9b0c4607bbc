import './event-data.schema.js';
import { Body, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { TargetLookup } from './target-lookup.js';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto.js';
import { webhookList } from './webhook.list.js';
import { freshWebhook } from './webhook.schemas.js';
import { webhookView } from './webhook.view.js';
import { WebhooksService, type FreshWebhook } from './webhooks.service.js';

const Id = () => Param('id', bodies.PathId('webhook'));
const path = { id: 'webhook' } as const;
const representation = Object.keys(webhookView.fields);

@WithoutDryRun(true)
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhooks_list', {
    summary: 'List webhooks',
    description: 'Returns the webhooks of the organizations and endeavours where you have the admin role.',
    list: webhookList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.webhooks.list(me, query);
  }

  @TransactionalPost()
  @UseInterceptors(TargetLookup)
  @SecretProperties(['secret'])
  @Operation('webhooks_create', {
    summary: 'Create a webhook',
    description:
      'Sends the events of an endeavour, or of an organization and the endeavours whose home it is, to the URL, in the ' +
      'format of [Standard Webhooks](https://www.standardwebhooks.com): `{type, timestamp, data: event}`. You become the ' +
      'owner of the webhook: it sends the events that you can see at that time, and it is disabled if you lose the admin ' +
      'role there or if the home of the endeavour changes. An organization or endeavour can have at most 20 webhooks (409 ' +
      '`too_many_webhooks`).',
    status: 201,
    body: CreateWebhookDto,
    response: freshWebhook,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateWebhookDto, { representation })) dto: CreateWebhookDto,
  ): Promise<FreshWebhook> {
    return this.webhooks.create(me, dto);
  }

  @Get(':id')
  @Operation('webhooks_get', { summary: 'Get a webhook', path, resource: webhookView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(webhookView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.webhooks.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @UseInterceptors(TargetLookup)
  @Operation('webhooks_update', {
    summary: 'Update a webhook',
    description:
      'JSON merge patch. You become the owner of the webhook. Disabling it marks its pending deliveries as failed; after it ' +
      'is enabled again, it sends only new events.',
    path,
    body: UpdateWebhookDto,
    response: webhookView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateWebhookDto, { representation })) dto: UpdateWebhookDto,
  ): Promise<Representation> {
    return this.webhooks.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('webhooks_delete', {
    summary: 'Delete a webhook',
    description: 'Stops all deliveries immediately, including those of earlier events.',
    path,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.webhooks.delete(me, id);
  }

  @TransactionalPost(':id/rotate-secret')
  @SecretProperties(['secret'])
  @Operation('webhooks_rotate_secret', {
    summary: 'Rotate the secret of a webhook',
    description:
      'Returns a new secret, only once. For 24 hours, deliveries are signed with both the old and the new secret.',
    path,
    response: freshWebhook,
    refuses: ['archived', 'precondition_failed'],
  })
  rotateSecret(@CurrentCaller() me: Caller, @Id() id: string): Promise<FreshWebhook> {
    return this.webhooks.rotateSecret(me, id);
  }
}
