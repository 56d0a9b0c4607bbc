import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { SECRET, PORT = '4000', HOST = '127.0.0.1' } = process.env;
if (SECRET === undefined) {
  console.error('SECRET is missing: set it to the secret that was returned when the webhook was created.');
  process.exit(1);
}

const webhook = new Webhook(SECRET);
const MAX_REMEMBERED = 10_000;
/** Deliveries arrive at least once, each time with the same id. A real receiver keeps the ids in its database. */
const known = new Set();

function handle(id, { type, timestamp, data }) {
  if (known.has(id)) return console.log(`${id} received again`);
  known.add(id);
  if (known.size > MAX_REMEMBERED) known.delete(known.values().next().value);
  console.log(`${timestamp} ${type} ${data.entity_id ?? ''}`);
}

async function receive(request, response) {
  const body = await text(request);
  try {
    handle(request.headers['webhook-id'], webhook.verify(body, request.headers));
  } catch (error) {
    console.error(`rejected: ${error.message}`);
    return response.writeHead(400).end();
  }
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
  receive(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(PORT), HOST, () => console.log(`listening on http://${HOST}:${server.address().port}`));
