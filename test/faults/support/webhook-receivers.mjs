import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { registerCleanup } from './opened.mjs';

/** Starts a server that answers every request with `answer`; returns its URL and the number of requests so far. */
export async function startReceiver(answer, host = '127.0.0.1') {
  const state = { requests: 0, url: '' };
  const server = createServer((request, response) => {
    state.requests += 1;
    void text(request).then((body) => answer(request, response, body));
  });
  server.listen(0, host);
  await once(server, 'listening');
  state.port = server.address().port;
  state.url = `http://${host}:${state.port}/`;
  registerCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

/** Verifies incoming events as a receiver does, and records their first arrival and their order for each entity. */
export class Inbox {
  firstDelays = new Map();
  repeated = 0;
  outOfOrder = 0;
  badSignatures = 0;
  latestSequences = new Map();

  receive(secret, headers, body) {
    let event;
    try {
      event = new Webhook(secret).verify(body, headers).data;
    } catch {
      this.badSignatures += 1;
      return;
    }
    if (this.firstDelays.has(event.id)) {
      this.repeated += 1;
      return;
    }
    this.firstDelays.set(event.id, Date.now() - Date.parse(event.occurred_at));
    if (event.sequence < (this.latestSequences.get(event.entity_id) ?? 0)) this.outOfOrder += 1;
    this.latestSequences.set(event.entity_id, event.sequence);
  }
}
