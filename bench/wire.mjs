import { connect, createServer } from 'node:net';
import { once } from 'node:events';

/**
 * Starts a proxy between a server and PostgreSQL that records the statements with their values, and counts statements
 * and round trips (waits for results, however much was sent before). It slows the server down: not for measuring time.
 */
export async function startRecordingProxy({ host, port }) {
  const wire = { statements: 0, roundTrips: 0, seen: [] };
  let outstanding = 0;
  const far = () => (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host));
  const sent = () => {
    if (outstanding === 0) wire.roundTrips += 1;
    outstanding += 1;
  };
  const server = createServer((near) => {
    const database = far();
    const session = { texts: new Map(), bound: undefined };
    const forth = frames((type, body) => takeRequest(wire, session, type, body, sent), true);
    const back = frames((type) => {
      if (type === 'Z') outstanding -= 1;
    });
    outstanding += 1;
    near
      .on('data', forth)
      .pipe(database)
      .on('error', () => near.destroy());
    database
      .on('data', back)
      .pipe(near)
      .on('error', () => database.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  wire.reset = () => Object.assign(wire, { statements: 0, roundTrips: 0, seen: [] });
  wire.port = server.address().port;
  wire.close = () => server.close();
  return wire;
}

function takeRequest(wire, session, type, body, sent) {
  if (type === 'P') {
    const [name, text] = strings(body, 2);
    session.texts.set(name, text);
  } else if (type === 'B') {
    session.bound = bindingOf(body, session.texts);
  } else if (type === 'E') {
    wire.statements += 1;
    wire.seen.push(session.bound);
  } else if (type === 'Q') {
    wire.statements += 1;
    wire.seen.push({ text: strings(body, 1)[0], values: [] });
    sent();
  } else if (type === 'S') {
    sent();
  }
}

/** Splits a stream into messages (type, length, body); the first message of a client has no type. */
function frames(take, isClient = false) {
  let bytes = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (bytes.length < head + 4) return;
      const end = head + bytes.readInt32BE(head);
      if (bytes.length < end) return;
      if (!isFirst) take(String.fromCharCode(bytes[0]), bytes.subarray(5, end));
      isFirst = false;
      bytes = bytes.subarray(end);
    }
  };
}

function strings(body, count) {
  const found = [];
  for (let at = 0; found.length < count;) {
    const end = body.indexOf(0, at);
    found.push(body.toString('utf8', at, end));
    at = end + 1;
  }
  return found;
}

/** The statement and the values of a Bind message; pg sends every value as text. */
function bindingOf(body, texts) {
  const [portal, name] = strings(body, 2);
  let at = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
  at += 2 + 2 * body.readInt16BE(at);
  const values = Array.from({ length: body.readInt16BE(at) });
  at += 2;
  for (let n = 0; n < values.length; n += 1) {
    const length = body.readInt32BE(at);
    at += 4;
    values[n] = length < 0 ? null : body.toString('utf8', at, at + length);
    at += Math.max(0, length);
  }
  return { text: texts.get(name), values };
}
