import { createSocket, type Socket } from 'node:dgram';

const TXT = 16;
const NO_SUCH_NAME = 3;

/** A name server on loopback that knows only TXT records, which the test sets. */
export class NameServer {
  /** The texts of the records, by name. */
  readonly records = new Map<string, string[]>();
  /** Whether it fails instead of answering. */
  isBroken = false;
  /** The names that were asked for. */
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (question, { port, address }) => socket.send(this.answer(question), port, address));
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new NameServer(socket);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }

  /** The value of `DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** RFC 1035: the header, the question as it was asked, and the records. */
  private answer(message: Buffer): Buffer {
    const { name, end } = questionIn(message);
    this.asked.push(name);
    const type = message.readUInt16BE(end);
    const texts = this.records.get(name.toLowerCase());
    const answers = type === TXT && texts !== undefined ? texts : [];
    const code = this.isBroken ? 2 : texts === undefined ? NO_SUCH_NAME : 0;
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 + code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(this.isBroken ? 0 : answers.length, 6);
    const question = message.subarray(12, end + 4);
    return Buffer.concat([header, question, ...(this.isBroken ? [] : answers.map(recordOf))]);
  }
}

/** The name that is asked for, and where its type begins. */
function questionIn(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (message[at] !== 0) {
    const length = message[at];
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** A TXT record; a long text comes in parts of at most 255 bytes. */
function recordOf(text: string): Buffer {
  const parts = text.match(/.{1,200}/gs) ?? [''];
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
