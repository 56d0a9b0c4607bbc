import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { changedValues } from '../../platform/database/columns/columns.js';
import type { FieldNames, Representation, Wire } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { Webhook } from './webhook.entity.js';
import { webhookList } from './webhook.list.js';
import { assertNoErrors, containerErrors, MAX_PER_CONTAINER, patternErrors, eventPatternsOf } from './webhook.rules.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookTargets } from './webhook-targets.js';
import { webhookView } from './webhook.view.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** A webhook with its secret, which is only returned when it is generated. */
export type FreshWebhook = Wire<typeof webhookView> & { secret: string };

/** Manages the webhooks of organizations and endeavours. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly listing: Listing,
    private readonly repository: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly targets: WebhookTargets,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, webhookList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, webhookView, id, { fields });
  }

  async create(me: Caller, dto: CreateWebhookDto): Promise<FreshWebhook> {
    const { url, organization_id, endeavour_id, events, description, is_enabled = true } = dto;
    assertNoErrors([...containerErrors(dto), ...patternErrors(events), ...(await this.targets.errorsOf(url))]);
    await this.assertBelowLimit(me, dto);
    const row = Object.assign(new Webhook(), {
      id: newId('webhook'),
      organizationId: organization_id ?? null,
      endeavourId: endeavour_id ?? null,
      ownerId: me.resourceId,
      url,
      events: eventPatternsOf(events),
      description: description ?? null,
      isEnabled: is_enabled,
    });
    const created = await this.writer.create(me, webhookView, Webhook, {
      row,
      place: { organizationId: row.organizationId, endeavourId: row.endeavourId },
      title: 'Webhook',
      childRows: () => this.repository.addState(row.id),
    });
    if (row.isEnabled) await this.deliveries.askReceiver(row.id);
    const secret = this.secrets.current(await this.repository.secretState(row.id));
    return { ...created.read(webhookView), secret };
  }

  /** Updates the webhook. The caller becomes its owner, whose permissions limit its events from then on. */
  async update(me: Caller, id: string, dto: UpdateWebhookDto): Promise<Representation> {
    const { url, events, description, is_enabled: isEnabled } = dto;
    assertNoErrors([...patternErrors(events), ...(await this.targets.errorsOf(url))]);
    const { row: current, place, ...opened } = await this.open(me, 'webhooks_update', id);
    this.access.assertWritable({ ...opened, row: current });
    const sent = {
      url,
      events: events === undefined ? undefined : eventPatternsOf(events),
      description,
      isEnabled,
      disabledReason: isEnabled === undefined ? undefined : null,
    };
    const changes = changedValues<Webhook>(current, sent);
    if (Object.keys(changes).length > 0) {
      Object.assign(changes, { ownerId: me.resourceId });
      await this.apply(id, changes);
      if (changes.isEnabled ?? current.isEnabled) await this.askReceiver(id);
    }
    return this.writer.patch(me, webhookView, Webhook, { current, changes, place });
  }

  private async askReceiver(id: string): Promise<void> {
    if (!(await this.repository.isVerified(id))) await this.deliveries.askReceiver(id);
  }

  private async apply(id: string, { isEnabled, url }: Partial<Webhook>): Promise<void> {
    if (url !== undefined) await this.repository.unverify(id);
    if (isEnabled === true) return this.repository.restart(id);
    if (isEnabled === false) await this.repository.endPending(id, 'The webhook was disabled.');
    await this.repository.storeHome(id);
  }

  async rotateSecret(me: Caller, id: string): Promise<FreshWebhook> {
    const { place, ...opened } = await this.open(me, 'webhooks_rotate_secret', id);
    this.access.assertWritable(opened);
    const state = await this.repository.rotate(id, this.clock.now());
    const rotated = await this.writer.recordChange(me, webhookView, id, place, { type: 'webhook.secret_rotated' });
    return { ...rotated.read(webhookView), secret: this.secrets.current(state) };
  }

  async delete(me: Caller, id: string): Promise<Deleted> {
    const { row: current, place } = await this.open(me, 'webhooks_delete', id);
    this.access.assertIfMatch({ row: current });
    await this.repository.endAll(id, 'The webhook was deleted.');
    const changes = { deletedAt: new Date(), isEnabled: false };
    await this.writer.remove(me, webhookView, Webhook, current, place, changes);
    return { id, deleted: true };
  }

  private open(
    me: Caller,
    operation: 'webhooks_update' | 'webhooks_rotate_secret' | 'webhooks_delete',
    id: string,
  ): Promise<LockedResource<Webhook>> {
    return this.access.lockForUpdate(me, operation, Webhook, id);
  }

  private async assertBelowLimit(me: Caller, { organization_id, endeavour_id }: CreateWebhookDto): Promise<void> {
    const kind = endeavour_id === undefined ? 'organization' : 'endeavour';
    const containerId = endeavour_id ?? organization_id ?? '';
    const container = await this.access.lockReference(me, 'webhooks_create', `${kind}_id`, containerId, {
      kind,
      exclusive: true,
    });
    this.access.assertWritable(container);
    if ((await this.repository.count(containerId)) < MAX_PER_CONTAINER) return;
    throw conflict('too_many_webhooks', `The ${kind} already has ${MAX_PER_CONTAINER} webhooks; delete one first.`);
  }
}
