import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { opened } from './opened.mjs';

/** A server that answers every request with `answer`; its address, and how many requests it got. */
export async function receiver(answer, host = '127.0.0.1') {
  const state = { requests: 0, url: '' };
  const server = createServer((request, response) => {
    state.requests += 1;
    void text(request).then((body) => answer(request, response, body));
  });
  server.listen(0, host);
  await once(server, 'listening');
  state.port = server.address().port;
  state.url = `http://${host}:${state.port}/`;
  opened(async () => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

/** What arrived, verified as a receiver does it: which events, when first, and in which order for each thing. */
export class Inbox {
  first = new Map();
  repeated = 0;
  disordered = 0;
  forged = 0;
  latest = new Map();

  take(secret, headers, body) {
    let event;
    try {
      event = new Webhook(secret).verify(body, headers).data;
    } catch {
      this.forged += 1;
      return;
    }
    if (this.first.has(event.id)) {
      this.repeated += 1;
      return;
    }
    this.first.set(event.id, Date.now() - Date.parse(event.occurred_at));
    if (event.sequence < (this.latest.get(event.entity_id) ?? 0)) this.disordered += 1;
    this.latest.set(event.entity_id, event.sequence);
  }
}
