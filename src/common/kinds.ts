/** Every kind of entity with an id, and the prefix of its ids (spec 01). */
export const KINDS = {
  user: 'usr',
  resource: 'res',
  organization: 'org',
  endeavour: 'edv',
  goal: 'gol',
  stage: 'stg',
  demand: 'dmd',
  label: 'lbl',
  task: 'tsk',
  relation: 'rel',
  approval: 'apr',
  comment: 'cmt',
  artifact: 'art',
  message: 'msg',
  delivery: 'mdl',
  ritual: 'rtl',
  ritual_run: 'rtr',
  template: 'tpl',
  dod_policy: 'dod',
  dod_endorsement: 'doe',
  dod_check: 'dck',
  dod_result: 'dor',
  invitation: 'inv',
  session: 'ses',
  access_token: 'tok',
  passkey: 'pky',
  domain: 'dom',
  identity_provider: 'idp',
  identity: 'idn',
  scim_token: 'sct',
  webhook: 'whk',
  webhook_delivery: 'whd',
  event: 'evt',
  alert: 'alt',
  operation: 'opr',
  import: 'imp',
  alert_term: 'trm',
  audit_entry: 'aud',
  notification: 'ntf',
  iteration: 'itr',
  view: 'viw',
  time_entry: 'tme',
} as const;

/** The name of a kind, as it appears in `entity_type`. */
export type Kind = keyof typeof KINDS;

/** Kinds without a row in `entities`: they belong to one entity or user and are accessed through it. */
const UNPLACED: readonly Kind[] = [
  'goal',
  'stage',
  'label',
  'delivery',
  'session',
  'webhook_delivery',
  'event',
  'alert',
  'alert_term',
  'operation',
  'import',
  'audit_entry',
  'notification',
];

/** Whether entities of the kind have a row in `entities`, which contains their container. */
export const isPlaced = (kind: Kind): boolean => !UNPLACED.includes(kind);
