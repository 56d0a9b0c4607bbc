import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { registerCleanup } from './opened.mjs';
import { freePort } from './programs.mjs';

const CODE = /\b[0-9a-z]{3}-[0-9a-z]{3}-[0-9a-z]{3}\b/;

/** A mail server that can fail in several modes. Every mail that was transferred completely counts as received. */
export class FakeMailServer {
  /** Address to the mails that it received, each `{ messageId, code }`. */
  received = new Map();
  /** The number of mails that were received but not acknowledged. */
  dropped = 0;
  /** Called with the address when the transfer of a mail begins (`begun`) and when it is complete (`whole`). */
  onMail = () => undefined;
  #mode = 'fine';
  #holding = new AbortController();

  static async open() {
    const office = new FakeMailServer();
    office.port = await freePort();
    await office.#listen();
    registerCleanup(() => office.#shut());
    return office;
  }

  get url() {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** `fine`, `refuse` (no connection), `tarpit` (no response), `busy` (421), `unknown` (550), `drop` (cut after the mail). */
  async setMode(mode) {
    this.#mode = mode;
    this.#holding.abort();
    this.#holding = new AbortController();
    if (mode === 'refuse') await this.#shut();
    else if (this.server === undefined) await this.#listen();
  }

  get mails() {
    return [...this.received.values()].reduce((sum, mails) => sum + mails.length, 0);
  }

  /** The number of further copies of mails that were received before. */
  get copies() {
    return [...this.received.values()].reduce(
      (sum, mails) => sum + mails.length - new Set(mails.map(({ messageId }) => messageId)).size,
      0,
    );
  }

  async #listen() {
    this.server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 10,
      onConnect: (_session, done) => void this.#held().then(done),
      onMailFrom: (_address, _session, done) => void this.#held().then(done),
      onRcptTo: (_address, _session, done) => {
        if (this.#mode === 'busy') done(refusal(421, 'come back later'));
        else if (this.#mode === 'unknown') done(refusal(550, 'no such user'));
        else done();
      },
      onData: (stream, { envelope }, done) => void this.#take(stream, envelope.rcptTo[0].address, done),
    });
    this.server.on('error', () => undefined);
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server.server, 'listening');
  }

  async #take(stream, address, done) {
    this.onMail(address, 'begun');
    const raw = await text(stream).catch(() => undefined);
    if (raw === undefined || stream.sizeExceeded) return;
    this.onMail(address, 'whole');
    this.received.set(address, [...(this.received.get(address) ?? []), read(raw)]);
    if (this.#mode !== 'drop') return done();
    this.dropped += 1;
    for (const connection of this.server.connections) Reflect.get(connection, '_socket').destroy();
  }

  async #held() {
    const { signal } = this.#holding;
    if (this.#mode === 'tarpit') await pause(600_000, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async #shut() {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    for (const connection of server.connections) Reflect.get(connection, '_socket').destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

const refusal = (responseCode, message) => Object.assign(new Error(message), { responseCode });

function read(raw) {
  const [head, ...body] = raw.split(/\r?\n\r?\n/);
  return { messageId: /^message-id:\s*(\S+)/im.exec(head)?.[1], code: CODE.exec(body.join('\n'))?.[0] };
}
