import { Bool, Ids } from '../../platform/http/bodies/fields.js';

export class MarkNotificationDto {
  @Bool({ nullable: false, description: 'Defaults to true.' })
  read?: boolean;
}

export class MarkNotificationsDto {
  @Ids('notification', { max: 200, description: 'Your own notifications. Required unless all is true.' })
  ids?: string[];

  @Bool({ description: 'All of your notifications.', example: true })
  all?: boolean;
}
