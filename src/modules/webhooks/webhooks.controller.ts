import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { SecretProperties } from '../../platform/http/route-metadata.js';
import type { Page } from '../../platform/http/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/transactional-routes.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
import { Fields } from '../../platform/http/selected-fields.js';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto.js';
import { webhookList } from './webhook.list.js';
import { freshWebhook } from './webhook.schemas.js';
import { webhookView } from './webhook.view.js';
import { WebhooksService, type FreshWebhook } from './webhooks.service.js';

const Id = () => Param('id', bodies.PathId('webhook'));
const path = { id: 'webhook' } as const;
const representation = Object.keys(webhookView.fields);

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhooks_list', {
    summary: 'List webhooks',
    description: 'Those of organizations and endeavours where you are admin.',
    list: webhookList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.webhooks.list(me, query);
  }

  @TransactionalPost()
  @SecretProperties(['secret'])
  @Operation('webhooks_create', {
    summary: 'Create a webhook',
    description:
      'Events of an organization, with the endeavours whose home it is, or of an endeavour are sent to the URL as ' +
      '[Standard Webhooks](https://www.standardwebhooks.com) have it: `{type, timestamp, data: event}`. You are its owner: ' +
      'it sends what you see at that moment, and is disabled when you are no admin there any more, or the endeavour gets ' +
      'another home. At most 20 for each organization or endeavour (409 `too_many_webhooks`).',
    status: 201,
    body: CreateWebhookDto,
    answer: freshWebhook,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateWebhookDto, { representation })) dto: CreateWebhookDto,
  ): Promise<FreshWebhook> {
    return this.webhooks.create(me, dto);
  }

  @Get(':id')
  @Operation('webhooks_get', { summary: 'Get a webhook', path, answer: webhookView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(webhookView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.webhooks.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('webhooks_update', {
    summary: 'Update a webhook',
    description:
      'A merge patch. Whoever changes it becomes its owner. Enabled again, it sends what happens from then on; disabled, ' +
      'what was waiting to be sent has failed.',
    path,
    body: UpdateWebhookDto,
    answer: webhookView,
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
    description: 'Nothing is sent any more, also of what has happened already.',
    path,
    answer: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    return this.webhooks.delete(me, id);
  }

  @TransactionalPost(':id/rotate-secret')
  @SecretProperties(['secret'])
  @Operation('webhooks_rotate_secret', {
    summary: 'Rotate the secret of a webhook',
    description: 'A new secret, shown this once. For 24 hours what is sent has the signatures of both.',
    path,
    answer: freshWebhook,
    refuses: ['archived', 'precondition_failed'],
  })
  rotateSecret(@CurrentCaller() me: Caller, @Id() id: string): Promise<FreshWebhook> {
    return this.webhooks.rotateSecret(me, id);
  }
}
