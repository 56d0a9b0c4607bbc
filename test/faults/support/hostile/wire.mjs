import { connect } from 'node:net';

/** A connection of a client that keeps to no rule: it writes what it likes, and notes what comes back and when it ends. */
export class Wire {
  answer = '';
  isClosed = false;

  constructor(port, { reads = true } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.opened = new Promise((resolve) => this.socket.once('connect', resolve).once('close', resolve));
    this.closed = new Promise((resolve) => {
      const note = () => {
        this.isClosed = true;
        resolve();
      };
      // One that keeps its own half open is told of the other's end alone.
      this.socket.once('end', note).once('close', note);
    });
    // A server that hangs up on such a client does what it should.
    this.socket.on('error', () => undefined);
    if (reads) this.socket.setEncoding('latin1').on('data', (text) => this.note(text));
    else this.socket.pause();
  }

  /** Enough of the answer to know what it was, and how many there were. */
  note(text) {
    this.statuses = [...(this.statuses ?? []), ...[...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code)];
    if (this.answer.length < 4_000) this.answer += text;
  }

  write(text) {
    if (!this.isClosed && this.socket.writable) this.socket.write(text);
  }

  end() {
    this.socket.destroy();
  }
}

/** So many wires, open. */
export async function openWires(port, count, options) {
  const wires = Array.from({ length: count }, () => new Wire(port, options));
  await Promise.all(wires.map(({ opened }) => opened));
  return wires;
}

/** How many there are of each, as `3 x 200, 1 x 503`. */
export function tally(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return Object.entries(counts)
    .map(([value, count]) => `${count} x ${value}`)
    .join(', ');
}

export const closedOf = (wires) => wires.filter(({ isClosed }) => isClosed).length;
