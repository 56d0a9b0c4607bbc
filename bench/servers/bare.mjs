/**
 * The least that a server can do: the http server of node and a pool of pg, named and prepared statements, and JSON
 * that PostgreSQL makes in the representation of the service. It verifies the signature of each token once, and checks
 * nothing else: no session, no roles, no visibility, no validation.
 */
import 'reflect-metadata';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { STATEMENTS } from './bare-statements.mjs';

const { PORT, CONNECTION, JWT_SECRET } = process.env;
const pool = new pg.Pool({ ...JSON.parse(CONNECTION), max: 10 });
const names = new Map(Object.values(STATEMENTS).map((text) => [text, createHash('sha1').update(text).digest('hex')]));
const verified = new Map();

async function one(text, values) {
  const { rows } = await pool.query({ name: names.get(text), text, values });
  return rows[0];
}

function claimsOf({ authorization = '' }) {
  const token = authorization.slice('Bearer '.length);
  const known = verified.get(token);
  if (known !== undefined) return known;
  const [head, body, signature] = token.split('.');
  const right = createHmac('sha256', JWT_SECRET).update(`${head}.${body}`).digest('base64url');
  if (signature !== right) throw new Error('the signature is wrong');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  verified.set(token, claims);
  return claims;
}

const newId = (prefix) => {
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${prefix}_${ms}7${randomUUID().replaceAll('-', '').slice(13)}`;
};

const read = (request) =>
  new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => resolve(JSON.parse(text)));
  });

const ROUTES = {
  'GET task': async (_claims, { id }) => `{"data":${(await one(STATEMENTS.task, [id])).body}}`,
  'GET tasks': async (_claims, { query }) => {
    const limit = Number(query.get('limit') ?? 50);
    const { total, items } = await one(STATEMENTS.tasks, [query.get('endeavour_id'), query.get('status'), limit]);
    return `{"data":${items},"meta":{"total":${total},"limit":${limit},"offset":0,"next_cursor":null}}`;
  },
  'PATCH task': async ({ sub }, { id, request }) => {
    const { status } = await read(request);
    return `{"data":${(await one(STATEMENTS.patchTask, [id, status, newId('evt'), sub])).body}}`;
  },
  'POST tasks': async ({ sub }, { request }) => {
    const { title, description, endeavour_id, estimate } = await read(request);
    const values = [newId('tsk'), title, description, endeavour_id, estimate, newId('evt'), sub];
    return `{"data":${(await one(STATEMENTS.createTask, values)).body}}`;
  },
  'POST comments': async ({ sub }, { request }) => {
    const { content, entity_type, entity_id } = await read(request);
    const values = [newId('cmt'), content, entity_type, entity_id, newId('evt'), sub];
    return `{"data":${(await one(STATEMENTS.createComment, values)).body}}`;
  },
  'GET whoami': async ({ sub }) => `{"data":${(await one(STATEMENTS.whoami, [sub])).body}}`,
};

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  const [path, query] = request.url.split('?');
  const [, , , area, id] = path.split('/');
  if (path === '/health/ready') return answer(response, 200, '{}');
  const name = area === 'auth' ? `GET ${id}` : `${request.method} ${id === undefined ? area : area.slice(0, -1)}`;
  const work = async () => ROUTES[name](claimsOf(request.headers), { id, query: new URLSearchParams(query), request });
  work().then(
    (body) => answer(response, request.method === 'POST' ? 201 : 200, body),
    (error) => answer(response, 500, error.message),
  );
});
server.listen(Number(PORT), '127.0.0.1');
