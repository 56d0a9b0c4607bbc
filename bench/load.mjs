/**
 * The load generator, a separate process with keep-alive connections and one request in flight on each. It receives
 * the requests of a route (`define`) and the order to send them (`run`) over IPC, and responds with what it measured.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ResponseParser } from './answers.mjs';

const sets = new Map();

/** Stores requests as bytes. A toggle has two requests that undo each other, and belongs to one connection. */
function define({ name, kind, requests }) {
  const buffers = requests.map((texts) => texts.map((text) => Buffer.from(text)));
  sets.set(name, { kind, buffers, turns: new Uint8Array(buffers.length) });
}

/** Yields the requests of a connection. */
function* chooser({ kind, buffers, turns }, place, connections) {
  if (kind === 'toggle' && buffers.length < connections * 4) throw new Error('too few things to change in turn');
  for (let n = place; ; n += connections) {
    const index = kind === 'toggle' ? n % (buffers.length - (buffers.length % connections)) : n % buffers.length;
    yield buffers[index][turns[index]];
    if (kind === 'toggle') turns[index] ^= 1;
  }
}

class Connection {
  constructor(port, requests, tally) {
    this.requests = requests;
    this.tally = tally;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.parser = new ResponseParser((status, head) => this.answered(status, head));
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.socket.once('error', reject);
      this.socket.once('close', () => reject(new Error('the server closed a connection')));
    });
    this.socket.on('data', (chunk) => this.parser.take(chunk));
    this.socket.once('connect', () => this.send());
  }

  send() {
    this.sentAt = process.hrtime.bigint();
    this.socket.write(this.requests.next().value);
  }

  answered(status, head) {
    this.tally.note(status, Number(process.hrtime.bigint() - this.sentAt) / 1e6, head);
    if (this.tally.isOver) this.end();
    else this.send();
  }

  /** Called after the last response, so that no request is in flight when the next server is measured. */
  end() {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
    this.resolve();
  }
}

/** The durations of the responses during the measurement, and the failed requests. */
class Tally {
  isOver = false;
  isCounting = false;
  firstCounted = new Promise((resolve) => {
    this.noteCounted = resolve;
  });
  times = [];
  refused = 0;
  firstRefusal = undefined;

  note(status, milliseconds, head) {
    if (status < 200 || status > 299) {
      this.refused += 1;
      this.firstRefusal ??= head;
    }
    if (!this.isCounting) return;
    this.times.push(milliseconds);
    this.noteCounted();
  }
}

/** Measures for the given time, and at least until one response has arrived, because a median needs one. */
async function run({ name, ports, connections, warmUp, seconds }) {
  const tally = new Tally();
  const all = Array.from({ length: connections }, (_, place) => {
    const requests = chooser(sets.get(name), place, connections);
    return new Connection(ports[place % ports.length], requests, tally);
  });
  const ended = Promise.all(all.map(({ done }) => done));
  const measured = async () => {
    await pause(warmUp * 1000);
    process.send({ type: 'counting' });
    const begun = process.hrtime.bigint();
    tally.isCounting = true;
    await Promise.all([pause(seconds * 1000), tally.firstCounted]);
    tally.isCounting = false;
    const lasted = Number(process.hrtime.bigint() - begun) / 1e9;
    process.send({ type: 'counted' });
    tally.isOver = true;
    return lasted;
  };
  const [lasted] = await Promise.all([measured(), ended]);
  return outcome(tally, lasted);
}

function outcome({ times, refused, firstRefusal }, lasted) {
  const sorted = Float64Array.from(times).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    count: sorted.length,
    lasted,
    rps: sorted.length / lasted,
    p50: at(0.5),
    p99: at(0.99),
    refused,
    firstRefusal,
  };
}

process.on('message', (message) => {
  if (message.type === 'define') {
    define(message);
    process.send({ type: 'result' });
    return;
  }
  run(message).then(
    (result) => process.send({ type: 'result', result }),
    (error) => process.send({ type: 'result', error: error.message }),
  );
});
process.once('disconnect', () => process.exit(0));
