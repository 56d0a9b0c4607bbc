import { WIDE } from './requests.mjs';

const PAGES = 200;
const ALL_SERVERS = ['bare', 'service', 'naive'];
/** The number of connections for requests that take so long that the service rejects more of them (503). */
const ALONE = 1;
const MEMBER = 'a member of few endeavours (role member)';

/**
 * The measured routes: who sends the requests, which servers implement the route, and its bars. `limit` is pgbench with
 * the statements of the service; `several` is more than one process of the service.
 */
export const ROUTES = {
  get: {
    title: 'GET one task',
    who: MEMBER,
    servers: ['limit', ...ALL_SERVERS, 'several'],
    bare: 0.8,
    naive: 4,
    make: (requests) => requests.get(),
  },
  list: {
    title: 'list 50 by endeavour and status, with total',
    who: MEMBER,
    servers: ['limit', ...ALL_SERVERS, 'several'],
    bare: 0.9,
    naive: 4,
    make: (requests) => requests.list(),
  },
  wide: { title: 'list 50, no filter', who: WIDE, servers: ['service'], make: (requests) => requests.byWide() },
  first: {
    title: 'first page, no filter, count=false',
    who: WIDE,
    servers: ['service'],
    make: (requests) => requests.byWide('?count=false'),
  },
  deep: {
    title: `page ${PAGES} by cursor, no filter, count=false`,
    who: WIDE,
    servers: ['service'],
    make: (requests, { service }) => requests.deep(service.port, PAGES),
  },
  summary: {
    title: 'summary of an endeavour',
    who: MEMBER,
    servers: ['service'],
    make: (requests) => requests.summary(),
  },
  search: {
    title: 'search, two words',
    who: MEMBER,
    servers: ['service'],
    p99: 150,
    make: (requests) => requests.search(),
  },
  relevance: {
    title: 'search, two words, by relevance',
    who: MEMBER,
    servers: ['service'],
    p99: 150,
    make: (requests) => requests.search('&sort=relevance'),
  },
  administrator: {
    title: 'search, one word',
    who: 'an administrator',
    servers: ['service'],
    atMost: ALONE,
    make: (requests) => requests.searchByAdministrator(),
  },
  everything: {
    title: 'search across everything, two words',
    who: MEMBER,
    servers: ['service'],
    p99: 150,
    atMost: ALONE,
    make: (requests) => requests.searchEverything(),
  },
  ready: {
    title: 'list 50 that are ready, by endeavour',
    who: MEMBER,
    servers: ['service'],
    make: (requests) => requests.inListed(() => '&ready=true'),
  },
  work: {
    title: 'GET the working list',
    who: MEMBER,
    servers: ['service'],
    make: (requests) => requests.byAnybody('/work'),
  },
  feed: {
    title: 'page of 100 of the feed, from the beginning',
    who: MEMBER,
    servers: ['service'],
    make: (requests) => requests.byAnybody('/changes?after=0&limit=100'),
  },
  progress: {
    title: 'progress of an endeavour',
    who: MEMBER,
    servers: ['service'],
    make: (requests) => requests.progress(),
  },
  whoami: { title: 'GET whoami', who: MEMBER, servers: ALL_SERVERS, make: (requests) => requests.whoami() },
  patch: {
    title: 'PATCH status of a task',
    who: MEMBER,
    servers: ALL_SERVERS,
    kind: 'toggle',
    bare: 0.6,
    naive: 4,
    make: (requests, { client }) => requests.patchTask(client),
  },
  post: {
    title: 'POST task',
    who: MEMBER,
    servers: ALL_SERVERS,
    bare: 0.6,
    naive: 4,
    make: (requests) => requests.createTask(),
  },
  comment: {
    title: 'POST comment',
    who: MEMBER,
    servers: ALL_SERVERS,
    bare: 0.6,
    naive: 4,
    make: (requests) => requests.createComment(),
  },
};
