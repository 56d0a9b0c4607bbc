import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { JsonRecord } from '../../../common/texts/json.js';
import { CSV_TYPE, csvHeader, csvLines } from './csv.js';
import type { ListFormat } from './list-format.js';
import { Page, type RowChange } from './page.js';

/** Reads all rows in batches and passes them to `send`; resolves when the last batch has been consumed. */
export type RowSource = (send: (rows: AsyncIterable<JsonRecord[]>) => Promise<void>) => Promise<void>;

/** A complete list whose rows are read while the client receives them. */
export class StreamedList extends Page {
  constructor(
    private readonly name: string,
    private readonly source: RowSource,
    private readonly format: ListFormat,
    private readonly columns: readonly string[],
    private readonly change: RowChange = (row) => row,
  ) {
    super([], { total: null, limit: 0, offset: 0, next_cursor: null });
  }

  override mapRows(change: RowChange, columns = this.columns): StreamedList {
    return new StreamedList(this.name, this.source, this.format, columns, change);
  }

  /** Errors before the first rows become a normal error response; a later error breaks the connection. */
  async send(reply: FastifyReply): Promise<void> {
    const file = `${this.name}.${this.format === CSV_TYPE ? 'csv' : 'ndjson'}`;
    const headers = {
      'content-type': this.format === CSV_TYPE ? `${CSV_TYPE}; charset=utf-8` : this.format,
      'content-disposition': `attachment; filename="${file}"`,
    };
    // A stream, because without a payload the response would state a length of 0.
    if (reply.request.method === 'HEAD') return void reply.headers(headers).send(Readable.from([]));
    const body = new PassThrough();
    try {
      await this.source(async (rows) => {
        const pieces = this.pieces(rows);
        const first = await pieces.next();
        void reply.headers(headers).send(body);
        if (first.done === true) return;
        const firstAndRest = async function* (): AsyncGenerator<string> {
          yield first.value;
          yield* pieces;
        };
        await pipeline(firstAndRest, body, { end: false });
      });
      // The list ends after its slot is free, because the client may request the next list as soon as it has the end.
      body.end();
    } catch (error) {
      body.destroy();
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  private async *pieces(rows: AsyncIterable<JsonRecord[]>): AsyncGenerator<string, undefined> {
    if (this.format === CSV_TYPE) yield csvHeader(this.columns);
    for await (const batch of rows) {
      const changed = batch.map((row) => this.change(row) as JsonRecord);
      if (this.format === CSV_TYPE) yield csvLines(this.columns, changed);
      else yield changed.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
    return undefined;
  }
}
