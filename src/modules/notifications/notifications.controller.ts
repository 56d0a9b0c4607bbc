import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { MarkNotificationDto, MarkNotificationsDto } from './notification.dto.js';
import { notificationList } from './notification.list.js';
import { notificationView } from './notification.view.js';
import { NotificationsService } from './notifications.service.js';

const representation = Object.keys(notificationView.fields);
const Id = () => Param('id', bodies.PathId('notification'));

@ApiTags('Work')
@Controller('notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Operation('notifications_list', {
    summary: 'List notifications',
    description:
      'Returns notifications about actions of others that concern you, newest first: one notification for each entity ' +
      'and day (UTC). Only entities that you can currently see are listed. Agents get no notifications; they can follow ' +
      '`GET /changes?about=me`.',
    list: notificationList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.notifications.list(me, query);
  }

  @Get(':id')
  @Operation('notifications_get', {
    summary: 'Get notification',
    path: { id: 'notification' },
    resource: notificationView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(notificationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.notifications.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('notifications_update', {
    summary: 'Mark notification as read',
    description: 'Send `{"read": false}` to mark it as unread.',
    path: { id: 'notification' },
    body: MarkNotificationDto,
    bodyOptional: true,
    response: notificationView,
  })
  mark(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(MarkNotificationDto, { representation })) dto: MarkNotificationDto,
  ): Promise<Representation> {
    return this.notifications.mark(me, id, dto);
  }

  @TransactionalPost('read')
  @Operation('notifications_read', {
    summary: 'Mark several notifications as read',
    description: 'Marks the given notifications, or all that you can see, as read. Returns how many were unread.',
    body: MarkNotificationsDto,
    response: component('MarkedRead', exactly({ read: { type: 'integer' } })),
  })
  markSeveral(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(MarkNotificationsDto)) dto: MarkNotificationsDto,
  ): Promise<{ read: number }> {
    return this.notifications.markSeveral(me, dto);
  }
}
