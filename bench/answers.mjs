const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/** Finds the ends of HTTP answers in what arrives on a connection with one request in flight, and little else. */
export class Answers {
  /** What has come of a head that is not whole. */
  rest = NOTHING;
  /** Bytes of the body that are still to come; -1 while a head is awaited, Infinity where it comes in chunks. */
  missing = -1;

  constructor(onAnswer) {
    this.onAnswer = onAnswer;
  }

  take(chunk) {
    let bytes = chunk;
    if (this.missing === -1) {
      bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.rest = bytes;
        return;
      }
      this.readHead(bytes.latin1Slice(0, end));
      this.rest = NOTHING;
      bytes = bytes.subarray(end + HEAD_END.length);
      this.tail = NOTHING;
      // What explains a refusal is at hand where it came with the head, as short bodies do.
      if (this.status > 299) this.shown = bytes.toString('utf8').slice(0, 500);
    }
    if (this.isWhole(bytes)) {
      this.missing = -1;
      this.onAnswer(this.status, `${this.status} ${this.shown ?? ''}`);
    }
  }

  readHead(head) {
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    const isEmpty = this.status === 204 || this.status === 304;
    this.missing = length !== null ? Number(length[1]) : isEmpty ? 0 : Infinity;
  }

  isWhole(bytes) {
    if (this.missing !== Infinity) {
      this.missing -= bytes.length;
      return this.missing <= 0;
    }
    this.tail = Buffer.concat([this.tail, bytes]).subarray(-LAST_CHUNK.length);
    return this.tail.equals(LAST_CHUNK);
  }
}
