import { idOf } from '../data/shape.mjs';

/** Sample values by parameter, where its schema does not suggest one: what the member can see, and words that occur. */
const VALUES = {
  assignee_id: 'me',
  owner_id: 'me',
  creator_id: 'me',
  created_by: 'me',
  author_id: 'me',
  approver_id: 'me',
  posted_by: 'me',
  actor_id: 'me',
  sender_id: idOf('res', 0),
  resource_id: idOf('res', 3),
  entity_id: idOf('tsk', 0),
  source_entity_id: idOf('tsk', 0),
  target_entity_id: idOf('tsk', 0),
  container_id: idOf('edv', 0),
  entity_type: 'task',
  relationship_type: 'blocks',
  type: {
    '/demands': 'bug',
    '/templates': 'report',
    '/resources': 'service',
    '/operations': 'tasks.bulk',
    '/activity': 'task.updated',
  },
  event_type: 'task.updated',
  name: 'lint',
  tag: 'tag-3',
  skill: 'skill-7',
  lang: 'en',
  role: { '/approvals': 'product_owner' },
  email: 'person1@bench.example',
  priority: 'high',
  iteration: ['current', 'none'],
  label: ['area-3', '!area-3', 'none', 'area-3,area-4'],
  stage: ['Review', 'none'],
  key: 'E0-1',
  external: 'jira:GARDEN-17',
  parent_id: [idOf('tsk', 0), 'none'],
  filter: {
    '/tasks': [
      'status = "active" AND assignee_id = me',
      'status = "active" AND (assignee_id = me OR label:"area-3") AND NOT due_date < "2026-12-01"',
    ],
    '/demands': [
      'status = "open" AND owner_id = me',
      'status = "open" AND (owner_id = me OR label:"area-3") AND NOT due_date < "2026-12-01"',
    ],
  },
  search: ['error', 'part 7', 'zz no such thing'],
  q: ['error', 'zz no such thing'],
  after: '1',
  before: '1000',
};

/** What a list, or a parameter, has to be asked for with. */
const WITH_LIST = { '/search': ['q', 'error'] };
const WITH_PARAMETER = {
  start_time: ['end_time', '2026-01-20T00:00:00Z'],
  structural: ['entity_id', idOf('edv', 0)],
  'label.all': ['label', 'area-3,area-4'],
};

/** Sample values of declared fields, and lists in their order, within an endeavour. */
const FIELDS = [
  ['metadata.severity', 'rare'],
  ['metadata.severity', 'high'],
  ['metadata.severity', '!high'],
  ['metadata.severity', 'none'],
  ['metadata.score.min', '998'],
  ['metadata.note', 'error'],
  ['sort', 'metadata.score'],
  ['sort', '-metadata.severity'],
  ['sort', 'metadata.note'],
];

/** The resource of a user is sent both as `me` and as an id. */
const ALSO = { assignee_id: idOf('res', 3), owner_id: idOf('res', 3), creator_id: idOf('res', 3) };

/** The prefixes of the ids in paths, and the numbers of those that are not the first. */
const PREFIXES = {
  messages: 'msg',
  resources: 'res',
  organizations: 'org',
  endeavours: 'edv',
  comments: 'cmt',
  tasks: 'tsk',
  demands: 'dmd',
  approvals: 'apr',
  artifacts: 'art',
  relations: 'rel',
  rituals: 'rtl',
  'ritual-runs': 'rtr',
  templates: 'tpl',
  'time-entries': 'tme',
  users: 'usr',
  'dod-policies': 'dod',
  'dod-endorsements': 'doe',
  'dod-checks': 'dck',
};
const NUMBERS = { '/resources/{id}/members': 100_000, '/users/{id}/changes': 3 };

const COMMON = ['limit', 'offset', 'cursor', 'count', 'mine', 'admin', 'fields', 'view', 'wait'];

/** Returns the requests for every documented list, with each of its filters and sorts, alone and in an endeavour. */
export function questionsOf(document) {
  const schemas = new Schemas(document);
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = schemas.queryOf(get);
    const list = path.replace('/api/v1', '');
    const where = pathOf(path, list);
    if (where === undefined || !parameters.some(({ name }) => name === 'limit')) return [];
    const asked = parameters.flatMap((parameter) => asking(list, parameter, parameters));
    const isPlaced = parameters.some(({ name }) => name === 'endeavour_id');
    const ofFields = parameters.some(({ name }) => name === 'label') ? FIELDS.map((one) => [one]) : [];
    const within = isPlaced ? asked.filter(([[name]]) => name !== 'endeavour_id') : [];
    const placed = [...within, ...ofFields].map((one) => [PLACE, ...one]);
    const queries = [[], ...asked, ...placed];
    return queries.map((query) => ({ list: path, path: where, query: complete(list, query) }));
  });
}

const PLACE = ['endeavour_id', idOf('edv', 0)];
const BY_RELEVANCE = ['sort', 'relevance'];

function complete(list, query) {
  const wanted = [WITH_LIST[list], ...query.map(([name]) => WITH_PARAMETER[name])];
  const missing = wanted.filter((pair) => pair !== undefined && !query.some(([name]) => name === pair[0]));
  return [...query, ...missing];
}

/** The path of the list of something that exists; undefined if the data has nothing with such a list. */
function pathOf(path, list) {
  const prefix = PREFIXES[list.split('/')[1]];
  if (!path.includes('{')) return path;
  return prefix && path.replace('{id}', idOf(prefix, NUMBERS[list] ?? 0));
}

/** Parameters and schemas without references. */
class Schemas {
  constructor({ components }) {
    this.components = components;
  }

  queryOf(operation) {
    return (operation?.parameters ?? [])
      .map((parameter) => this.resolve(parameter))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ name, schema: this.itemOf(this.resolve(schema)) }));
  }

  /** The schema of one value of a list, or of the value itself. */
  itemOf(schema) {
    return schema.type === 'array' ? { ...this.resolve(schema.items), isList: true } : schema;
  }

  resolve(one) {
    if (one.$ref === undefined) return one;
    const [, , kind, name] = one.$ref.split('/');
    return this.components[kind][name];
  }
}

/** Returns the queries for a parameter, one for each sample value, as pairs of name and value. */
function asking(list, { name, schema }, parameters) {
  if (name === 'sort') return schema.enum.filter((sort) => sort !== 'relevance').map((sort) => [[name, sort]]);
  if (COMMON.includes(name)) return [];
  const queries = valuesOf(list, name, schema).map((value) => [[name, value]]);
  const isRanked = parameters.some((other) => other.name === 'sort' && other.schema.enum.includes('relevance'));
  return name === 'search' && isRanked ? queries.flatMap((one) => [one, [...one, BY_RELEVANCE]]) : queries;
}

function valuesOf(list, name, schema) {
  if (name === 'type' && list.endsWith('/changes')) return [`${kindOf(list)}.created`];
  const known = VALUES[name];
  const given = typeof known === 'object' && !Array.isArray(known) ? known[list] : known;
  const values = [given ?? sampleOf(schema), ALSO[name]].flat().filter((value) => value !== undefined);
  return values.length === 0 ? unknown(`${list}?${name}`) : values;
}

/** The kind of what a list of changes is about; the feed of all is asked for tasks. */
const kindOf = (list) =>
  list.split('/')[1].replace('changes', 'tasks').replace(/ies$/, 'ys').replace('-', '_').slice(0, -1);

function sampleOf({ type, format, pattern = '', enum: choices, examples }) {
  if (type === 'boolean') return 'true';
  if (format === 'date-time') return '2026-01-10T00:00:00Z';
  if (pattern.startsWith('^\\d{4}')) return '2026-01-10';
  const [, prefix] = /\(?:([a-z]{3})\)_/.exec(pattern) ?? [];
  return prefix === undefined ? (choices?.[0] ?? examples?.[0]) : idOf(prefix, 0);
}

function unknown(what) {
  throw new Error(`there is no sample value for ${what}`);
}
