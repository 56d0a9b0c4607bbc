const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/** Finds the end of each HTTP response on a connection with one request in flight; parses as little as possible. */
export class ResponseParser {
  /** The part of an incomplete head that has arrived. */
  rest = NOTHING;
  /** The remaining bytes of the body; -1 while the head is incomplete, Infinity with chunked encoding. */
  remaining = -1;

  constructor(onAnswer) {
    this.onAnswer = onAnswer;
  }

  take(chunk) {
    let bytes = chunk;
    if (this.remaining === -1) {
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
      // The body of an error is shown if it arrived with the head, as short bodies do.
      if (this.status > 299) this.shown = bytes.toString('utf8').slice(0, 500);
    }
    if (this.isComplete(bytes)) {
      this.remaining = -1;
      this.onAnswer(this.status, `${this.status} ${this.shown ?? ''}`);
    }
  }

  readHead(head) {
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    const isEmpty = this.status === 204 || this.status === 304;
    this.remaining = length !== null ? Number(length[1]) : isEmpty ? 0 : Infinity;
  }

  isComplete(bytes) {
    if (this.remaining !== Infinity) {
      this.remaining -= bytes.length;
      return this.remaining <= 0;
    }
    this.tail = Buffer.concat([this.tail, bytes]).subarray(-LAST_CHUNK.length);
    return this.tail.equals(LAST_CHUNK);
  }
}
