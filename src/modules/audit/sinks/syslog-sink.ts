import { once } from 'node:events';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely, type SecureContextOptions } from 'node:tls';
import { SINK_TIMEOUT_MS, type AuditSink, type SealedEntry } from './audit-sink.js';
import { syslogFrame } from './syslog-message.js';

const TLS_PORT = 6514;
const TCP_PORT = 514;
/** Within this time, a receiver that accepts connections only to close them has done so. */
const SETTLE_MS = 200;

/**
 * Sends entries as syslog, each batch on a connection of its own. Syslog has no acknowledgement; in its place, the service
 * closes its side after the batch, and a receiver that then closes its own without an error has read everything.
 */
export class SyslogSink implements AuditSink {
  private readonly url: URL;

  /** `trust` names the authorities that sign the certificate, if they are not those of the system. */
  constructor(
    url: string,
    private readonly trust: SecureContextOptions = {},
  ) {
    this.url = new URL(url);
  }

  async send(entries: readonly SealedEntry[]): Promise<void> {
    const signal = AbortSignal.timeout(SINK_TIMEOUT_MS);
    const { socket, opened } = this.connect();
    // Failures reject what waits for the socket; those after the end of a batch change nothing.
    socket.on('error', () => undefined);
    // What a receiver says is not part of the protocol, but must be read for its end to be seen.
    socket.resume();
    const closed = once(socket, 'end', { signal });
    closed.catch(() => undefined);
    let isDone = false;
    try {
      await once(socket, opened, { signal });
      await Promise.race([write(socket, entries.map(syslogFrame).join('')), closed]);
      await refusingEnd(closed);
      isDone = true;
      socket.end();
      await closed;
    } catch (error) {
      throw new Error(signal.aborted ? late(isDone) : problemOf(error), { cause: error });
    } finally {
      socket.destroy();
    }
  }

  private connect(): { socket: Socket; opened: string } {
    const { protocol, hostname, port } = this.url;
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    if (protocol === 'syslog+tcp:') {
      return { socket: connectPlainly({ host, port: Number(port || TCP_PORT) }), opened: 'connect' };
    }
    const name = isIP(host) === 0 ? { servername: host } : {};
    const options = { host, port: Number(port || TLS_PORT), ...name, ...this.trust };
    return { socket: connectSecurely(options), opened: 'secureConnect' };
  }
}

/** Resolves once the system has taken all of the text. */
const write = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Rejects if the receiver closes the connection although the service has not. */
async function refusingEnd(closed: Promise<unknown>): Promise<void> {
  const isOpen = await Promise.race([closed.then(() => false), pause(SETTLE_MS, true)]);
  if (!isOpen) throw new Error('the receiver closed the connection by itself');
}

const late = (isDone: boolean): string =>
  isDone ? 'the receiver did not close the connection after a batch' : 'the receiver took nothing in time';

function problemOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
