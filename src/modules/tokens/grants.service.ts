import { Injectable } from '@nestjs/common';
import { AccessToken } from '../../access/authentication/access-token.entity.js';
import { AccessTokenSecrets, isWellFormed } from '../../access/authentication/access-token-secrets.js';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { ProtectedResource } from '../../common/programs.js';
import { Database } from '../../platform/database/database.js';
import type { Actor } from '../../platform/context/actor.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RequestContext } from '../../platform/context/request-context.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Listing } from '../../platform/listing/listing.js';
import { grantList } from './grant.list.js';
import { GrantsRepository, type LiveGrant } from './grants.repository.js';
import { tokenView } from './token.view.js';
import { TokensRepository } from './tokens.repository.js';

export type { LiveGrant };

/** What a person grants to a program of others. */
export interface NewGrant {
  clientId: string;
  /** What the program is let into. */
  resource: ProtectedResource;
  name: string;
  scopes: readonly string[];
  organizationId: string | null;
  endeavourId: string | null;
}

const MAX_LIVE = 20;
/** How long a grant waits for the program to fetch its first access token. */
const UNUSED_SECONDS = 600;

/** Keeps what people have granted to programs of others: access tokens whose secrets the programs renew. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly bulk: BulkWriter,
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly grants: GrantsRepository,
    private readonly listing: Listing,
    private readonly secrets: AccessTokenSecrets,
    private readonly tokens: TokensRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, grantList, query);
  }

  /** Ends the grant; its secrets are invalid on every replica when the response is sent. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    const grant = await this.grants.lock(id, me.userId);
    if (grant === undefined) throw notFound();
    this.context.assertIfMatch(grant.revision);
    await this.end(me, grant);
    return { id, deleted: true };
  }

  /** Creates a grant of the caller without a secret, which the program has to fetch within ten minutes; returns its id. */
  async create(
    me: Caller,
    { clientId, resource, name, scopes, organizationId, endeavourId }: NewGrant,
  ): Promise<string> {
    if ((await this.grants.countLive(me.userId)) >= MAX_LIVE) {
      throw conflict(
        'too_many_tokens',
        `You can have granted access to at most ${MAX_LIVE} programs; end a grant first.`,
      );
    }
    const row = Object.assign(new AccessToken(), {
      id: newId('access_token'),
      userId: me.userId,
      madeBy: me.userId,
      kind: 'oauth' as const,
      clientId,
      resource,
      name,
      scopes: [...scopes],
      organizationId,
      endeavourId,
      allowedNetworks: [],
      expiresAt: await this.grants.timeAfter(UNUSED_SECONDS),
      hasSecondFactor: me.hasSecondFactor === true,
      provedTo: me.provedTo ?? null,
    });
    const place = { ownerUserId: me.userId };
    await this.writer.create(me, tokenView, AccessToken, { row, place, title: 'Grant' });
    return row.id;
  }

  /** Undefined if the grant has ended or expired. */
  find(id: string): Promise<LiveGrant | undefined> {
    return this.grants.find(id);
  }

  /** The grant of a valid access token; undefined if there is none. */
  async findByToken(token: string): Promise<LiveGrant | undefined> {
    return isWellFormed(token) ? this.grants.findBySecret(this.secrets.hashOf(token)) : undefined;
  }

  /** A new access token, which is valid as soon as it is added to its grant. */
  newToken(): string {
    return this.secrets.generate();
  }

  /** Makes an access token valid for so many seconds; false if the grant has ended or expired. */
  addToken(grantId: string, token: string, seconds: number): Promise<boolean> {
    return this.grants.addSecret(grantId, { hash: this.secrets.hashOf(token), seconds });
  }

  /** Lets the grant live for so many seconds from now. */
  extend(grantId: string, seconds: number): Promise<void> {
    return this.grants.extend(grantId, seconds);
  }

  /** Ends a grant for its program, or because a refresh token or a code was used twice. */
  async endByProgram(grantId: string): Promise<void> {
    await this.database.transaction(async () => {
      const grant = await this.grants.lock(grantId);
      if (grant !== undefined) await this.end(null, grant);
    });
  }

  /** Ends all grants of a program; their secrets are invalid on every replica when the transaction is committed. */
  async endOfClient(actor: Actor | null, clientId: string): Promise<void> {
    if ((await this.grants.closeOfClient(clientId)) === 0) return;
    await this.bulk.patchAll(actor, tokenView, AccessToken, {
      where: 'a.client_id = $1 AND a.ended_at IS NULL',
      parameter: clientId,
      changes: { endedAt: new Date() },
      type: 'access_token.deleted',
    });
  }

  private async end(actor: Actor | null, grant: AccessToken): Promise<void> {
    await this.tokens.deleteSecrets([grant.id]);
    const place = { ownerUserId: grant.userId };
    await this.writer.remove(actor, tokenView, AccessToken, grant, place, { endedAt: new Date() });
  }
}
