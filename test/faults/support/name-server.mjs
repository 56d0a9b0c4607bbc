import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { registerCleanup } from './opened.mjs';

const HEAD_LENGTH = 12;
/** A pointer to the name in the question, type A, class IN, TTL 0, length 4. */
const A_RECORD = [0xc0, HEAD_LENGTH, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4];

/** Starts a DNS server on the loopback address that answers from `addresses` (a Map), including later changes to it. */
export async function startNameServer(addresses) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, addresses), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const close = registerCleanup(async () => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, close };
}

function answerTo(query, addresses) {
  const { name, end } = questionOf(query);
  const isA = query.readUInt16BE(end - 4) === 1;
  const address = isA ? addresses.get(name) : undefined;
  const head = Buffer.alloc(HEAD_LENGTH);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(addresses.has(name) ? 0x8580 : 0x8583, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  const record = address === undefined ? [] : [...A_RECORD, ...address.split('.').map(Number)];
  return Buffer.concat([head, query.subarray(HEAD_LENGTH, end), Buffer.from(record)]);
}

function questionOf(query) {
  const labels = [];
  let at = HEAD_LENGTH;
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}
