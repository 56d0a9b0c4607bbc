/** The types of events by their subject: every event has one of these, which webhooks and feeds select by patterns. */
const VERBS = {
  access_token: 'created updated rotated deleted',
  alert: 'raised',
  approval: 'created dismissed',
  artifact: 'created updated deleted',
  comment: 'created updated deleted',
  demand: 'created updated deleted status_changed voted',
  dod: 'assigned unassigned changed checked met overridden override_lifted',
  dod_endorsement: 'created updated superseded withdrawn',
  dod_policy: 'created updated deleted forked versioned status_changed',
  dod_result: 'created',
  domain: 'created updated deleted',
  endeavour: 'created updated deleted archived unarchived status_changed linked unlinked transferred label_renamed',
  identity: 'created deleted',
  identity_provider: 'created updated deleted',
  invitation: 'created updated deleted accepted refused',
  iteration: 'created updated deleted status_changed',
  member: 'added changed removed',
  oauth_client: 'created updated deleted',
  organization: 'created updated deleted archived unarchived status_changed alert_terms_changed',
  passkey: 'created updated deleted',
  registration_token: 'created deleted',
  relation: 'created updated deleted',
  resource: 'created updated deleted archived unarchived linked unlinked transferred',
  ritual: 'created updated deleted forked status_changed',
  ritual_run: 'created updated deleted status_changed',
  rule: 'created updated deleted',
  scim_token: 'created deleted',
  task: 'created updated deleted archived unarchived status_changed review_requested unblocked voted',
  template: 'created updated deleted forked status_changed',
  time_entry: 'created updated deleted',
  user: 'created updated deleted',
  view: 'created updated deleted',
  visibility: 'gained lost',
  webhook: 'created updated deleted secret_rotated',
} as const;

/** The types of events that a webhook can receive; events of messages reach only sender and recipients. */
export const EVENT_TYPES: readonly string[] = [
  ...Object.entries(VERBS).flatMap(([subject, verbs]) => verbs.split(' ').map((verb) => `${subject}.${verb}`)),
  'redacted',
];

/** The types of all events, including those that only feeds and histories contain. */
export const FEED_EVENT_TYPES: readonly string[] = [
  ...EVENT_TYPES,
  ...['sent', 'read', 'unread', 'removed'].map((verb) => `message.${verb}`),
];

/** Whether an event can match the pattern, such as `task.*` or `*.deleted`. */
export function matchesAnyEvent(pattern: string): boolean {
  if (pattern === '*') return true;
  const [subject, verb] = pattern.split('.');
  return EVENT_TYPES.some((type) => {
    const [own, done] = type.split('.');
    return (subject === '*' || subject === own) && (verb === '*' ? done !== undefined : verb === done);
  });
}
