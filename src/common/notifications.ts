/** Reasons for a notification; each can be switched on and off in the profile. */
export const NOTIFICATION_KINDS = [
  'assigned',
  'owner_changed',
  'review_wanted',
  'verdict',
  'comment',
  'due',
  'vote_wanted',
  'invitation',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How: not at all, in the list of notifications, or there and by mail. */
export const NOTIFICATION_WAYS = ['none', 'inbox', 'mail'] as const;
export type NotificationWay = (typeof NOTIFICATION_WAYS)[number];

export const DEFAULT_WAY: NotificationWay = 'inbox';

/** Settings as they are sent: null resets one. */
export type SentSettings = Partial<Record<NotificationKind, NotificationWay | null>>;

export type NotifySettings = Record<NotificationKind, NotificationWay>;

/** The whole of what a user has set, with the default for the rest. */
export const notifySettings = (own: Partial<NotifySettings>): NotifySettings =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, own[kind] ?? DEFAULT_WAY])) as NotifySettings;

/** What a user has set, changed by what is sent. */
export function mergedSettings(own: Partial<NotifySettings>, sent: SentSettings): Partial<NotifySettings> {
  const merged = Object.entries({ ...own, ...sent }).filter(([, way]) => way !== null);
  return Object.fromEntries(merged);
}
