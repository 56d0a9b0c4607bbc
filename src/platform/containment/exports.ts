import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../common/errors.js';
import type { Actor } from '../events/actor.js';
import { AuditTrail, type Act } from '../audit/audit-trail.js';
import { Database } from '../database/database.js';
import { wireTime } from '../database/view.js';
import { JSON_TYPE } from '../http/envelope.js';
import type { ExportPart } from './export-part.js';

const SECONDS = 60;
const MOST_AT_ONCE = 2;
/** About so many characters are in memory at a time, whether rows are large or small; doubling keeps statements few. */
const PIECE = 128 * 1024;
const MOST_DOUBLINGS = 8;

/** What is exported. */
export interface ExportRequest {
  id: string;
  kind: 'endeavour' | 'organization' | 'person';
  /** The endeavours that are inside, read in the snapshot. */
  endeavours(): Promise<string[]> | string[];
  /** The organization itself, or the home of the endeavour: what may be named because all of it belongs there. */
  homes(): Promise<string[]> | string[];
  parts: readonly ExportPart[];
}

/**
 * Sends whole containers, or all about a person, as one JSON document, from one snapshot and with constant memory: PostgreSQL makes the text,
 * a cursor hands it over in pieces, and a slow reader slows the cursor down.
 */
@Injectable()
export class Exports {
  private running = 0;

  constructor(
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /** Refuses as any other request would until the first piece is there; what fails later cuts the answer off. */
  async send(me: Actor, reply: FastifyReply, exported: ExportRequest): Promise<void> {
    if (reply.request.method === 'HEAD') return void reply.headers(headersOf(exported)).send();
    if (this.running >= MOST_AT_ONCE) throw busy('Too many exports are running; try again in a moment.');
    this.running += 1;
    const body = new PassThrough();
    let last: string | undefined;
    try {
      await this.audit.record(actOf(exported));
      last = await this.database.snapshot(SECONDS, () => this.stream(me, reply, exported, body));
    } catch (error) {
      body.destroy();
      if (!isGone(error)) throw error;
    } finally {
      this.running -= 1;
    }
    // A client that has received everything may request the next export, which would be rejected before this one has
    // ended.
    if (last !== undefined) body.end(last);
  }

  /** Sends all but the last piece, which it returns. */
  private async stream(me: Actor, reply: FastifyReply, exported: ExportRequest, body: PassThrough): Promise<string> {
    const exportedAt = await this.begin(me);
    const endeavours = await exported.endeavours();
    const organization = exported.kind === 'organization' ? exported.id : null;
    const parameters = [me.userId, endeavours, organization, await exported.homes()];
    const pieces = this.document(exported, exportedAt, parameters);
    const first = await pieces.next();
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

  /** One export at a time for each user, over all replicas; the lock goes with the transaction. */
  private async begin(me: Actor): Promise<string> {
    const row = await this.database.one<{ free: boolean; at: string }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 11)) AS free, ${wireTime('now()')} AS at`,
      [me.userId],
    );
    if (row?.free !== true) throw busy('Another export of yours is still running; try again when it has finished.');
    return row.at;
  }

  /** Yields the pieces, and returns the last one. */
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
        count = fitting(rows);
      }
      await this.database.query('CLOSE exported');
    }
  }
}

/** How many rows like those make a piece. */
function fitting(rows: { body: string }[]): number {
  const size = rows.reduce((sum, { body }) => sum + body.length, 0) / rows.length;
  return 2 ** Math.min(MOST_DOUBLINGS, Math.max(0, Math.floor(Math.log2(PIECE / size))));
}

const headersOf = ({ id }: ExportRequest) => ({
  'content-type': JSON_TYPE,
  'content-disposition': `attachment; filename="${id}.json"`,
});

const actOf = ({ id, kind }: ExportRequest): Act =>
  kind === 'person'
    ? { action: 'user.exported', userId: id, entityType: 'user', entityId: id }
    : { action: `${kind}.exported`, entityType: kind, entityId: id };

const busy = (message: string): ApiError => new ApiError('rate_limited', message, undefined, 5);

/** The client closed the connection; there is no receiver for an error. */
const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
