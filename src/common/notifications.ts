/** Reasons for a notification; each can be switched on and off in the profile. */
export const NOTIFICATION_KINDS = [
  'assigned',
  'owner_changed',
  'review_wanted',
  'verdict',
  'comment',
  'due',
  'vote_wanted',
  'watching',
  'invitation',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How a user is notified: not at all, in the list of notifications, or there and by mail. */
export const NOTIFICATION_WAYS = ['none', 'inbox', 'mail'] as const;
export type NotificationWay = (typeof NOTIFICATION_WAYS)[number];

export const DEFAULT_WAY: NotificationWay = 'inbox';

/** The settings in a request body; null resets a setting to its default. */
export type SentSettings = Partial<Record<NotificationKind, NotificationWay | null>>;

export type NotifySettings = Record<NotificationKind, NotificationWay>;

/** All notification settings of a user, with defaults where nothing is set. */
export const notifySettings = (own: Partial<NotifySettings>): NotifySettings =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, own[kind] ?? DEFAULT_WAY])) as NotifySettings;

/** A user's own settings with the sent changes applied. */
export function mergedSettings(own: Partial<NotifySettings>, sent: SentSettings): Partial<NotifySettings> {
  const merged = Object.entries({ ...own, ...sent }).filter(([, way]) => way !== null);
  return Object.fromEntries(merged);
}
