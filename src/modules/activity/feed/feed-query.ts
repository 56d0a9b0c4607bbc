import { KINDS, type Kind } from '../../../common/kinds.js';
import { KEYED_KINDS } from '../../../common/work-keys.js';
import type { JsonSchema } from '../../../platform/database/views/view.js';
import { readQuery, type QueryReaders } from '../../../platform/http/requests/plain-query.js';
import { ANY_REFERENCE, idOf, RESOURCE_REFERENCE } from '../../../platform/http/bodies/fields/links.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { areUnknownFieldsIgnored } from '../../../platform/context/unknown-fields.js';
import type { Parsed } from '../../../platform/http/requests/parsed.js';
import { EVENT_FIELDS, type EventField } from '../event.view.js';

export const MAX_LIMIT = 200;
const MAX_WAIT_SECONDS = 60;
const PATTERN = /^(?:\*|[a-z_]{1,40})(?:\.(?:\*|[a-z_]{1,40}))?$/;
const MAX_VALUES = 100;

/** The filters of a request. */
export interface EventFilter {
  entityTypes?: string[];
  entityIds?: string[];
  endeavourIds?: string[];
  organizationIds?: string[];
  actorIds?: string[];
  /** Event types as patterns of `LIKE`. */
  types?: string[];
  /** Whether to return only events by others that concern the caller. */
  aboutMe: boolean;
}

/** The query of GET /changes or of the stream. */
export interface FeedQuery extends EventFilter {
  after: number | 'now' | undefined;
  limit: number;
  waitSeconds: number;
  fields?: EventField[];
}

export const integerParameter =
  (min: number, max: number, cap = max) =>
  (raw: string): Parsed => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : NaN;
    if (value >= min && value <= max) return { value: Math.min(value, cap) };
    const isNumber = !Number.isNaN(value);
    return {
      code: isNumber ? 'out_of_range' : 'invalid_type',
      message: `Must be an integer, ${min} ${max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${max}`}.`,
    };
  };

const splitValues = (raw: string): string[] => raw.split(',').map((value) => value.trim());

const set = (raw: string): Parsed => {
  const value = splitValues(raw);
  if (value.length <= MAX_VALUES) return { value };
  return { code: 'out_of_range', message: `Accepts at most ${MAX_VALUES} values.` };
};

const membersOf =
  (values: readonly string[]) =>
  (raw: string): Parsed => {
    const requested = splitValues(raw);
    if (requested.every((value) => values.includes(value))) return { value: [...new Set(requested)] };
    return { code: 'invalid_value', message: `Must be one of ${values.join(', ')}.`, allowed: values };
  };

const patterns = (raw: string): Parsed => {
  const requested = splitValues(raw);
  if (requested.length > MAX_VALUES)
    return { code: 'out_of_range', message: `Accepts at most ${MAX_VALUES} patterns.` };
  if (!requested.every((pattern) => PATTERN.test(pattern))) {
    return {
      code: 'invalid_format',
      message: 'Must be event types such as task.updated, or patterns such as task.*.',
    };
  }
  return { value: requested.map((pattern) => pattern.replaceAll('_', '\\_').replaceAll('*', '%')) };
};

const after = (raw: string): Parsed =>
  raw === 'now' ? { value: 'now' } : integerParameter(0, Number.MAX_SAFE_INTEGER)(raw);

const KIND_NAMES = Object.keys(KINDS);

/** Parses kinds; unknown kinds are dropped if the service is configured to ignore unknown fields. */
const kinds = (raw: string): Parsed => {
  const parsed = membersOf(KIND_NAMES)(raw);
  if ('value' in parsed || !areUnknownFieldsIgnored()) return parsed;
  return { value: raw.split(',').filter((kind) => KIND_NAMES.includes(kind)) };
};

export const FILTER_READERS = {
  entity_type: kinds,
  entity_id: set,
  endeavour_id: set,
  organization_id: set,
  actor_id: set,
  type: patterns,
  about: membersOf(['me']),
} satisfies QueryReaders;

const STREAM_READERS = { ...FILTER_READERS, after, fields: membersOf(EVENT_FIELDS) };
const FEED_READERS = {
  ...STREAM_READERS,
  limit: integerParameter(1, Number.MAX_SAFE_INTEGER, MAX_LIMIT),
  wait: integerParameter(0, MAX_WAIT_SECONDS),
};

export type ParameterDocs = Record<string, { description: string; schema: JsonSchema; kinds?: readonly Kind[] }>;

const severalOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items, maxItems: MAX_VALUES });

const SEQUENCE = { type: 'string', pattern: '^(?:now|[0-9]{1,16})$', examples: ['0'] };

export const FILTER_PARAMETERS: ParameterDocs = {
  entity_type: {
    description: `Events of entities of this type.`,
    schema: severalOf({ type: 'string', enum: KIND_NAMES }),
  },
  entity_id: { description: `Events of this entity.`, schema: severalOf(ANY_REFERENCE), kinds: KEYED_KINDS },
  endeavour_id: { description: `Events in this endeavour.`, schema: severalOf(idOf('endeavour')) },
  organization_id: {
    description: `Events in this organization, and in endeavours whose home organization it is.`,
    schema: severalOf(idOf('organization')),
  },
  actor_id: {
    description: `Events caused by this resource; use me for yourself.`,
    schema: severalOf(RESOURCE_REFERENCE),
  },
  type: {
    description: `Events of this type; task.* matches all types that begin with task.`,
    schema: severalOf({ type: 'string', pattern: PATTERN.source, examples: ['task.*'] }),
  },
  about: {
    description:
      'With me: what others did to entities that are assigned to you or your teams, that you own or created, or ' +
      'that mention you, and to what you watch.',
    schema: { type: 'string', enum: ['me'] },
  },
};

const AFTER =
  'Events after this sequence. Use 0 to start with the oldest available event, or now to receive only new events.';

export const STREAM_PARAMETERS: ParameterDocs = {
  ...FILTER_PARAMETERS,
  after: { description: AFTER, schema: { ...SEQUENCE, default: 'now' } },
  fields: {
    description: 'A comma-separated list of the event properties to return. All other properties are absent.',
    schema: severalOf({ type: 'string', enum: [...EVENT_FIELDS] }),
  },
};

export const FEED_PARAMETERS: ParameterDocs = {
  ...STREAM_PARAMETERS,
  after: { description: AFTER, schema: { ...SEQUENCE, default: '0' } },
  limit: {
    description: 'The maximum number of events, 1 to 200. Larger values are treated as 200.',
    schema: { type: 'integer', minimum: 1, default: 50 },
  },
  wait: {
    description: 'The maximum number of seconds to wait for an event before the response is sent.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
  },
};

export function filterOf(values: ReadonlyMap<string, unknown>): EventFilter {
  const listed = (name: string) => values.get(name) as string[] | undefined;
  return {
    entityTypes: listed('entity_type'),
    entityIds: listed('entity_id'),
    endeavourIds: listed('endeavour_id'),
    organizationIds: listed('organization_id'),
    actorIds: listed('actor_id'),
    types: listed('type'),
    aboutMe: values.has('about'),
  };
}

function read(raw: RawQuery, readers: QueryReaders): FeedQuery {
  const values = readQuery(raw, readers);
  return {
    ...filterOf(values),
    after: values.get('after') as FeedQuery['after'],
    limit: (values.get('limit') as number | undefined) ?? 50,
    waitSeconds: (values.get('wait') as number | undefined) ?? 0,
    fields: values.get('fields') as EventField[] | undefined,
  };
}

/** Reads the query of GET /changes, and reports all errors at once. */
export const readFeedQuery = (raw: RawQuery): FeedQuery => read(raw, FEED_READERS);

/** Reads the query of the stream, which has no pages. `Last-Event-ID` resumes an interrupted stream. */
export function readStreamQuery({ query, lenient }: RawQuery, lastEventId?: string | string[]): FeedQuery {
  const resumed = typeof lastEventId === 'string' && lastEventId !== '' ? { after: lastEventId } : {};
  const { after: begin = 'now', ...rest } = read({ query: { ...query, ...resumed }, lenient }, STREAM_READERS);
  return { ...rest, after: begin };
}
