import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import { Representation, type FieldNames } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { MarkNotificationDto, MarkNotificationsDto } from './notification.dto.js';
import { notificationList } from './notification.list.js';
import { NotificationMaker } from './notification-maker.js';
import { NotificationsRepository } from './notifications.repository.js';

/** The number of rows per statement, small enough to stay far below the statement timeout. */
const BATCH_SIZE = 1000;

/** Lists a user's notifications and marks them as read. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly listing: Listing,
    private readonly maker: NotificationMaker,
    private readonly repository: NotificationsRepository,
  ) {}

  async list(me: Caller, query: RawQuery): Promise<Page> {
    const request = this.listing.read(notificationList, query);
    await this.maker.catchUp();
    return this.listing.pageOf(me, notificationList, request);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const row = await this.repository.read(me, id, fields);
    if (row === undefined) throw notFound();
    return Representation.of(row);
  }

  async mark(me: Caller, id: string, { read = true }: MarkNotificationDto): Promise<Representation> {
    await this.repository.mark(me, id, read);
    return this.get(me, id);
  }

  /** Marks the given notifications, or all, as read; returns how many were unread. */
  async markSeveral(me: Caller, { ids, all = false }: MarkNotificationsDto): Promise<{ read: number }> {
    if (ids === undefined && !all) throw invalidField('ids', 'required', 'ids is required unless all is true.');
    if (ids !== undefined && all) throw invalidField('ids', 'invalid_value', 'ids cannot be combined with all.');
    if (ids !== undefined) await this.assertOwn(me, ids);
    let read = 0;
    for (let marked = BATCH_SIZE; marked === BATCH_SIZE; read += marked) {
      marked = await this.repository.markUnread(me, ids, BATCH_SIZE);
    }
    return { read };
  }

  private async assertOwn(me: Caller, ids: readonly string[]): Promise<void> {
    const own = await this.repository.own(me, ids);
    const errors = ids.flatMap((id, index) => (own.has(id) ? [] : [referenceNotFound(`ids.${index}`)]));
    if (errors.length > 0) throw invalidInput(errors);
  }
}
