import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../context/actor.js';
import { AuditTrail, type AuditedAction } from '../audit/audit-trail.js';
import { Database } from '../database/database.js';
import { wireTime } from '../database/views/view.js';
import { JSON_TYPE } from '../http/responses/envelope.js';
import { ExportLimiter } from '../limits/export-limiter.js';
import type { ExportPart } from './export-part.js';

const SECONDS = 60;
/**
 * The approximate number of characters in memory at a time, for large and small rows. The number of rows is a power of
 * two, which keeps the number of different statements low.
 */
const PIECE_CHARACTERS = 128 * 1024;
const MAX_DOUBLINGS = 8;

/** An exported container or person. */
export interface ExportRequest {
  id: string;
  kind: 'endeavour' | 'organization' | 'person';
  /** The endeavours inside, read in the snapshot. */
  endeavours(): Promise<string[]> | string[];
  /**
   * The organization itself, or the home of the endeavour: entities that may be named because everything inside belongs
   * to them.
   */
  homes(): Promise<string[]> | string[];
  parts: readonly ExportPart[];
}

/**
 * Streams whole containers, or all data about a person, as one JSON document, from one snapshot and with constant
 * memory: PostgreSQL builds the text, a cursor returns it in pieces, and a slow reader slows the cursor down.
 */
@Injectable()
export class Exports {
  constructor(
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly limiter: ExportLimiter,
  ) {}

  /** Errors before the first piece become a normal error response; a later error breaks the connection. */
  async send(me: Actor, reply: FastifyReply, exported: ExportRequest): Promise<void> {
    // A stream, because without a payload the response would state a length of 0.
    if (reply.request.method === 'HEAD') return void reply.headers(headersOf(exported)).send(Readable.from([]));
    const body = new PassThrough();
    let last: string | undefined;
    try {
      last = await this.limiter.run(() =>
        this.database.snapshot(SECONDS, () => this.stream(me, reply, exported, body)),
      );
    } catch (error) {
      body.destroy();
      if (!isDisconnected(error)) throw error;
    }
    // A client that has received everything may request the next export, which would be rejected before this one has
    // ended.
    if (last !== undefined) body.end(last);
  }

  /** Sends all pieces except the last, which it returns. */
  private async stream(me: Actor, reply: FastifyReply, exported: ExportRequest, body: PassThrough): Promise<string> {
    await this.limiter.claim(me.userId);
    const exportedAt = await this.now();
    const endeavours = await exported.endeavours();
    const organization = exported.kind === 'organization' ? exported.id : null;
    const parameters = [me.userId, endeavours, organization, await exported.homes()];
    const pieces = this.document(exported, exportedAt, parameters);
    const first = await pieces.next();
    this.database.deliver();
    await this.database.besideSnapshot(() => this.audit.record(actOf(exported)));
    void reply.headers(headersOf(exported)).send(body);
    let last = first.value;
    if (first.done !== true) {
      const allButLast = async function* (): AsyncGenerator<string> {
        yield first.value;
        last = yield* pieces;
      };
      await pipeline(allButLast, body, { end: false });
    }
    return last;
  }

  private async now(): Promise<string> {
    const row = await this.database.one<{ at: string }>(`SELECT ${wireTime('now()')} AS at`);
    if (row === undefined) throw new Error('the database returned no time');
    return row.at;
  }

  /** Yields the pieces and returns the last one. */
  private async *document(
    { kind, parts }: ExportRequest,
    exportedAt: string,
    parameters: unknown[],
  ): AsyncGenerator<string, string> {
    let opening = `{"version":1,"exported_at":"${exportedAt}","kind":"${kind}"`;
    for (const { name, isList, queries } of parts) {
      opening += `,"${name}":${isList ? '[' : ''}`;
      let separator = '';
      for await (const rows of this.rowsOf(queries, parameters)) {
        yield opening + separator + rows.join(',');
        opening = '';
        separator = ',';
      }
      if (isList) opening += ']';
    }
    return `${opening}}`;
  }

  private async *rowsOf(queries: readonly string[], parameters: unknown[]): AsyncGenerator<string[]> {
    for (const sql of queries) {
      await this.database.query(`DECLARE exported NO SCROLL CURSOR FOR ${sql}`, parameters);
      for (let count = 1; ;) {
        const rows = await this.database.query<{ body: string }>(`FETCH ${count} FROM exported`);
        if (rows.length === 0) break;
        yield rows.map(({ body }) => body);
        count = rowsPerPiece(rows);
      }
      await this.database.query('CLOSE exported');
    }
  }
}

/** The number of rows of that size that make a piece. */
function rowsPerPiece(rows: { body: string }[]): number {
  const size = rows.reduce((sum, { body }) => sum + body.length, 0) / rows.length;
  return 2 ** Math.min(MAX_DOUBLINGS, Math.max(0, Math.floor(Math.log2(PIECE_CHARACTERS / size))));
}

const headersOf = ({ id }: ExportRequest) => ({
  'content-type': JSON_TYPE,
  'content-disposition': `attachment; filename="${id}.json"`,
});

const actOf = ({ id, kind }: ExportRequest): AuditedAction =>
  kind === 'person'
    ? { action: 'user.exported', userId: id, entityType: 'user', entityId: id }
    : { action: `${kind}.exported`, entityType: kind, entityId: id };

/** Whether the client closed the connection, so that an error has no receiver. */
const isDisconnected = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
