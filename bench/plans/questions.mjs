import { idOf } from '../data/shape.mjs';

/** Sample values by parameter: entities that the member can see, and words that occur. */
const VALUES = {
  endeavour_id: idOf('edv', 0),
  organization_id: idOf('org', 0),
  assignee_id: 'me',
  owner_id: 'me',
  creator_id: 'me',
  author_id: 'me',
  approver_id: 'me',
  sender_id: idOf('res', 0),
  resource_id: idOf('res', 3),
  demand_id: idOf('dmd', 0),
  task_id: idOf('tsk', 0),
  entity_id: idOf('tsk', 0),
  source_entity_id: idOf('tsk', 0),
  target_entity_id: idOf('tsk', 0),
  ritual_id: idOf('rtl', 0),
  policy_id: idOf('dod', 0),
  entity_type: 'task',
  relationship_type: 'blocks',
  type: { '/api/v1/demands': 'bug', '/api/v1/templates': 'report', '/api/v1/resources': 'service' },
  kind: 'doc',
  tag: 'tag-3',
  skill: 'skill-7',
  lang: 'en',
  role: { '/api/v1/approvals': 'product_owner' },
  priority: 'high',
  summary: 'true',
  search: ['error', 'part 7', 'zz no such thing'],
};

/** The resource of a user is sent both as `me` and as an id. */
const ALSO = { assignee_id: idOf('res', 3), owner_id: idOf('res', 3), creator_id: idOf('res', 3) };

/** The values of `{id}` by path. */
const PATH_IDS = {
  '/api/v1/messages/{id}/thread': idOf('msg', 0),
  '/api/v1/resources/{id}/members': idOf('res', 100_000),
  '/api/v1/organizations/{id}/members': idOf('org', 0),
  '/api/v1/organizations/{id}/alerts': idOf('org', 0),
  '/api/v1/endeavours/{id}/members': idOf('edv', 0),
  '/api/v1/comments/{id}/history': idOf('cmt', 0),
  '/api/v1/tasks/{id}/dod-checks': idOf('tsk', 0),
};

const COMMON = ['limit', 'offset', 'cursor', 'count', 'mine', 'admin'];

/** Returns the requests for every documented list, with each of its filters and sorts, alone and in an endeavour. */
export function questionsOf(document) {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    if (!parameters.some(({ name }) => name === 'limit')) return [];
    const where = path.replace('{id}', () => PATH_IDS[path] ?? missing(path));
    const asked = parameters.flatMap((parameter) => asking(path, parameter, parameters));
    const isPlaced = parameters.some(({ name }) => name === 'endeavour_id');
    const within = isPlaced ? asked.filter(([[name]]) => name !== 'endeavour_id').map((one) => [PLACE, ...one]) : [];
    return [[], ...asked, ...within].map((query) => ({ list: path, path: where, query }));
  });
}

const PLACE = ['endeavour_id', VALUES.endeavour_id];
const BY_RELEVANCE = ['sort', 'relevance'];

/** Returns the queries for a parameter, one for each sample value, as pairs of name and value. */
function asking(path, { name, schema }, parameters) {
  if (name === 'sort') return schema.enum.filter((sort) => sort !== 'relevance').map((sort) => [[name, sort]]);
  if (COMMON.includes(name)) return [];
  const queries = valuesOf(path, name, schema).map((value) => [[name, value]]);
  const isRanked = parameters.some((other) => other.name === 'sort' && other.schema.enum.includes('relevance'));
  return name === 'search' && isRanked ? queries.flatMap((one) => [one, [...one, BY_RELEVANCE]]) : queries;
}

function valuesOf(path, name, schema) {
  if (/_(after|before)$/.test(name)) return ['2026-01-10T00:00:00Z'];
  const known = VALUES[name];
  const value = typeof known === 'object' && !Array.isArray(known) ? known[path] : known;
  const values = [value ?? schema.enum?.[0] ?? schema.examples?.[0], ALSO[name]].flat();
  return values[0] === undefined ? missing(`${path}?${name}`) : values.filter((one) => one !== undefined);
}

function missing(what) {
  throw new Error(`there is no sample value for ${what}`);
}
