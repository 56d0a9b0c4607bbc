import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { opened } from './opened.mjs';
import { freePort } from './programs.mjs';

const CODE = /\b[0-9a-z]{3}-[0-9a-z]{3}-[0-9a-z]{3}\b/;

/** A mail server that can be told how to fail. Every mail that was handed over in full counts as received. */
export class PostOffice {
  /** Address to the mails that reached it, each `{ messageId, code }`. */
  received = new Map();
  /** Mails that were taken without a word to the sender. */
  dropped = 0;
  /** Called with the address when a mail begins to come in (`begun`) and when all of it is there (`whole`). */
  onMail = () => undefined;
  #mode = 'fine';
  #holding = new AbortController();

  static async open() {
    const office = new PostOffice();
    office.port = await freePort();
    await office.#listen();
    opened(() => office.#shut());
    return office;
  }

  get url() {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** `fine`, `refuse` (no connection), `tarpit` (no answer), `busy` (421), `unknown` (550), `drop` (hangs up after the mail). */
  async become(mode) {
    this.#mode = mode;
    this.#holding.abort();
    this.#holding = new AbortController();
    if (mode === 'refuse') await this.#shut();
    else if (this.server === undefined) await this.#listen();
  }

  get mails() {
    return [...this.received.values()].reduce((sum, mails) => sum + mails.length, 0);
  }

  /** How many mails came more often than once, counted by every further copy. */
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
