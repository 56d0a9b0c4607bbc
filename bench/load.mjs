/**
 * The load generator, in a process of its own: keep-alive connections with one request in flight on each. It is told
 * over IPC what there is to ask (`define`) and then asks it (`run`), and answers with what it measured.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Answers } from './answers.mjs';

const sets = new Map();

/** Requests as bytes; a toggle has two of them that undo each other, and is asked by one connection only. */
function define({ name, kind, requests }) {
  const buffers = requests.map((texts) => texts.map((text) => Buffer.from(text)));
  sets.set(name, { kind, buffers, turns: new Uint8Array(buffers.length) });
}

/** Which request a connection sends next. */
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
    this.answers = new Answers((status, head) => this.answered(status, head));
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.socket.once('error', reject);
      this.socket.once('close', () => reject(new Error('the server closed a connection')));
    });
    this.socket.on('data', (chunk) => this.answers.take(chunk));
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

  /** The last answer is waited for, so that nothing is under way when the next server is asked. */
  end() {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
    this.resolve();
  }
}

/** What was answered while it counted. */
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

/** It counts as long as it is told to, and at least until something was answered: no answers have no median. */
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
