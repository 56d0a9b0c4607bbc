import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidField, notFound, ApiError } from '../../../common/errors.js';
import { Secrets } from '../../config/secrets.js';
import { confinement } from '../../database/transactions/confinement.js';
import { Database } from '../../database/database.js';
import type { CompleteResponse } from '../responses/envelope.js';
import { entitiesIn, isDeletion, removeErased, type ErasedSince } from './erased-since.js';
import { parentRequestOf } from '../../context/sub-requests.js';
import { RequestContext, type Requirement } from '../../context/request-context.js';
import { isUploadRoute } from '../bodies/uploads.js';

/** Checks the permissions of the first request again before its response is repeated. */
export type Recheck = (requirements: Requirement[]) => Promise<void>;

interface Stored extends CompleteResponse {
  fingerprint: string;
  required: Requirement[];
  createdAt: Date;
}

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Repeats the first successful response to the same request under the same `Idempotency-Key`. The response is stored in the
 * transaction of its effect, so that both exist or neither does. Errors are not stored, because nothing was changed:
 * the same key can be retried.
 */
@Injectable()
export class Idempotency {
  private readonly fingerprintKey = this.secrets.keyFor('fingerprint');

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly context: RequestContext,
  ) {}

  /** The key of the request, if it applies (spec 01: authenticated POST and PATCH). */
  keyOf(request: FastifyRequest, userId: string | undefined): string | undefined {
    const part = parentRequestOf(request);
    if (part !== undefined) return part.idempotencyKey;
    const key = request.headers['idempotency-key'];
    if (key === undefined || userId === undefined || !['POST', 'PATCH'].includes(request.method)) return undefined;
    if (typeof key === 'string' && KEY.test(key)) return key;
    throw invalidField(
      'Idempotency-Key',
      'invalid_format',
      'Idempotency-Key must have 1 to 255 printable ASCII characters.',
    );
  }

  /** Must be called inside the transaction of the write. */
  async once(
    request: FastifyRequest,
    userId: string,
    key: string,
    recheck: Recheck,
    secrets: readonly string[],
    work: () => Promise<CompleteResponse>,
  ): Promise<CompleteResponse> {
    const first = await this.repeat(request, userId, key, recheck);
    if (first !== undefined) return first;
    const required: Requirement[] = [];
    const response = await this.context.collectRequirements(required, work);
    if (response.isNotKept === true) return response;
    await this.store(userId, key, this.fingerprintOf(request), withoutSecrets(response, secrets), required);
    return response;
  }

  /**
   * Like {@link once}, for work that opens its own transactions: the response is stored right after the effect. After a
   * crash in between, the repetition is a new request, which such work (a change of password) rejects.
   */
  async onceWithOwnTransactions(
    request: FastifyRequest,
    userId: string,
    key: string,
    recheck: Recheck,
    secrets: readonly string[],
    work: () => Promise<CompleteResponse>,
  ): Promise<CompleteResponse> {
    const first = await this.database.transaction(() => this.repeat(request, userId, key, recheck));
    if (first !== undefined) return first;
    const required: Requirement[] = [];
    const response = await this.context.collectRequirements(required, work);
    const stored = withoutSecrets(response, secrets);
    await this.database.transaction(() => this.store(userId, key, this.fingerprintOf(request), stored, required));
    return response;
  }

  /** The first response under the key, if any; locks the key until the end of the transaction. */
  private async repeat(
    request: FastifyRequest,
    userId: string,
    key: string,
    recheck: Recheck,
  ): Promise<CompleteResponse | undefined> {
    await this.claim(userId, key);
    const stored = await this.find(userId, key);
    if (stored === undefined) return undefined;
    if (stored.fingerprint !== this.fingerprintOf(request)) {
      throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was already used for a different request.');
    }
    await recheck(stored.required);
    const body = await this.withoutErased(stored);
    return { ...stored, body, headers: { ...stored.headers, 'idempotent-replayed': 'true' } };
  }

  /** The body without what is deleted, or was redacted after it was stored; 404 if that is the entity itself. */
  private async withoutErased({ body, createdAt }: Stored): Promise<string> {
    const response = JSON.parse(body) as { data?: { id?: unknown; deleted?: unknown } };
    const erased = await this.database.query<ErasedSince>(
      `SELECT * FROM (SELECT x.id, x.deleted_at IS NOT NULL AS "isDeleted", ARRAY(
           SELECT v.data ->> 'field' FROM events v
           WHERE v.entity_id = x.id AND v.type = 'redacted' AND v.occurred_at > $2) AS fields
         FROM entities x WHERE x.id = ANY($1)) since WHERE "isDeleted" OR fields <> '{}'`,
      [entitiesIn(response), createdAt],
    );
    if (erased.length === 0) return body;
    const isOfDeleted = erased.some(({ id, isDeleted }) => isDeleted && id === response.data?.id);
    if (isOfDeleted && !isDeletion(response.data)) throw notFound();
    removeErased(response, erased);
    return JSON.stringify(response);
  }

  /**
   * A keyed hash of method, path, query, `If-Match` and body (for a file, its length), and of the container of a
   * restricted token, which must not learn what its user did elsewhere. Keyed, so that a password in a body cannot be
   * guessed from the stored hash.
   */
  private fingerprintOf(request: FastifyRequest): string {
    const { method, url, headers, body } = request;
    const hash = createHmac('sha256', this.fingerprintKey).update(`${method} ${url}\n`);
    if (headers['if-match'] !== undefined) hash.update(`If-Match: ${headers['if-match']}\n`);
    // The file has not been read yet; its length distinguishes most files.
    if (isUploadRoute(request)) hash.update(`Length: ${headers['content-length']}\n`);
    const containerId = confinement()?.containerId;
    if (containerId !== undefined) hash.update(`Within: ${containerId}\n`);
    return hash.update(JSON.stringify(body ?? null)).digest('hex');
  }

  private async claim(userId: string, key: string): Promise<void> {
    const row = await this.database.one<{ claimed: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 7)) AS claimed',
      [`${userId} ${key}`],
    );
    if (row?.claimed === true) return;
    throw new ApiError(
      'request_in_progress',
      'A request with this Idempotency-Key is still being processed.',
      undefined,
      1,
    );
  }

  /**
   * The lock on a stored response makes the commit of this transaction wait for the synchronous standby, as that of a
   * write does: the first commit may not be there yet, if its wait was cut, and its response must not be repeated before.
   */
  private find(userId: string, key: string): Promise<Stored | undefined> {
    return this.database.one<Stored>(
      `SELECT fingerprint, status, headers, body, required, created_at AS "createdAt" FROM idempotency_keys
       WHERE user_id = $1 AND key = $2 AND created_at > now() - interval '24 hours'
       FOR KEY SHARE`,
      [userId, key],
    );
  }

  /** Stores the response. The permissions on what the request itself has deleted cannot be checked again. */
  private async store(
    userId: string,
    key: string,
    fingerprint: string,
    response: CompleteResponse,
    required: Requirement[],
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO idempotency_keys (user_id, key, fingerprint, status, headers, body, required)
       VALUES ($1, $2, $3, $4, $5, $6, coalesce((SELECT json_agg(required.one) FROM json_array_elements($7::json) required (one)
         WHERE NOT EXISTS (SELECT 1 FROM entities x WHERE x.id = required.one ->> 'entityId' AND x.deleted_at IS NOT NULL)), '[]'))
       ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
         headers = excluded.headers, body = excluded.body, required = excluded.required, created_at = now()
       WHERE idempotency_keys.created_at <= now() - interval '24 hours'`,
      [
        userId,
        key,
        fingerprint,
        response.status,
        JSON.stringify(response.headers),
        response.body,
        JSON.stringify(required),
      ],
    );
  }
}

function withoutSecrets(response: CompleteResponse, secrets: readonly string[]): CompleteResponse {
  if (secrets.length === 0) return response;
  const { data } = JSON.parse(response.body) as { data: Record<string, unknown> | Record<string, unknown>[] };
  for (const entity of [data].flat()) for (const name of secrets) entity[name] = null;
  return { ...response, body: JSON.stringify({ data }) };
}
