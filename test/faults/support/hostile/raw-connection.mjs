import { connect } from 'node:net';

/** A raw connection that sends arbitrary bytes, and records the responses and when the connection ends. */
export class RawConnection {
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
      // A client that keeps its own side open gets only `end` when the server closes the other side.
      this.socket.once('end', note).once('close', note);
    });
    // The server is right to reset connections of such a client.
    this.socket.on('error', () => undefined);
    if (reads) this.socket.setEncoding('latin1').on('data', (text) => this.note(text));
    else this.socket.pause();
  }

  /** Records the statuses of all responses, and the beginning of their text. */
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

/** Opens `count` connections. */
export async function openConnections(port, count, options) {
  const wires = Array.from({ length: count }, () => new RawConnection(port, options));
  await Promise.all(wires.map(({ opened }) => opened));
  return wires;
}

/** Counts equal values, as `3 x 200, 1 x 503`. */
export function tally(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return Object.entries(counts)
    .map(([value, count]) => `${count} x ${value}`)
    .join(', ');
}

export const countClosed = (wires) => wires.filter(({ isClosed }) => isClosed).length;
