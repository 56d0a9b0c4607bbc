import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Secrets } from '../../platform/config/secrets.js';
import { GrantsService, type LiveGrant } from '../tokens/grants.service.js';
import { ClientLookup } from './clients/client-lookup.js';
import { resourceAddress } from './oauth-addresses.js';
import { Settings } from '../../platform/config/settings.js';
import { STORED_MODELS, type StoredModel } from './oauth-item.entity.js';
import { OauthItemsRepository, type Payload } from './oauth-items.repository.js';

/** A refresh token that was used is good for so many seconds more, for programs that have lost the response. */
const GRACE_SECONDS = 30;
/** A grant ends when it is not used for 30 days. */
export const IDLE_SECONDS = 30 * 86_400;

/** The errors that the library understands. */
export interface Refusals {
  /** For a code that is used a second time. */
  refuseUse: () => Error;
  /** For a program that cannot be looked up. */
  refuseClient: (error: unknown) => Error;
}

/** What the library asks of the storage of a model that is not stored, such as its own sessions. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/**
 * Stores for the library: a grant is an access token of this service, its access tokens are the secrets of that token, and the rest are
 * items without the code or token itself.
 */
@Injectable()
export class OauthAdapter {
  private readonly key = this.keys.keyFor('oauth-item');

  constructor(
    private readonly clients: ClientLookup,
    private readonly grants: GrantsService,
    private readonly items: OauthItemsRepository,
    private readonly keys: Secrets,
    private readonly settings: Settings,
  ) {}

  /** The storage of a model. */
  for(model: string, { refuseUse, refuseClient }: Refusals): Adapter {
    if (model === 'Client') return this.ofClients(refuseClient);
    if (model === 'Grant') return this.ofGrants();
    if (model === 'AccessToken') return this.ofAccessTokens(refuseUse);
    const stored = STORED_MODELS.find((name) => name === model);
    return stored === undefined ? NOTHING : this.ofItems(stored, refuseUse);
  }

  /** The keyed hash of the code that a person types for a device. */
  hashOfUserCode(code: string): string {
    return this.hashOf('UserCode', code);
  }

  private ofClients(refuse: Refusals['refuseClient']): Adapter {
    const find: Adapter['find'] = (id) =>
      this.clients.find(id).catch((error: unknown) => {
        throw refuse(error);
      });
    return { ...NOTHING, find };
  }

  private ofGrants(): Adapter {
    return {
      ...NOTHING,
      find: async (id) => {
        const grant = await this.grants.find(id);
        return grant && this.grantPayload(grant);
      },
      destroy: (id) => this.grants.endByProgram(id),
    };
  }

  private ofAccessTokens(refuseUse: () => Error): Adapter {
    return {
      ...NOTHING,
      upsert: async (token, { grantId }, seconds) => {
        if (!(await this.grants.addToken(String(grantId), token, seconds))) throw refuseUse();
      },
      find: async (token) => {
        const grant = await this.grants.findByToken(token);
        if (grant === undefined) return undefined;
        const { id, userId, clientId, resource, scopes, createdAt, expiresAt } = grant;
        const times = { iat: createdAt, exp: expiresAt };
        const audience = { aud: resourceAddress(this.settings, resource), scope: scopes.join(' ') };
        return { kind: 'AccessToken', jti: token, grantId: id, accountId: userId, clientId, ...times, ...audience };
      },
    };
  }

  private ofItems(model: StoredModel, refuseUse: () => Error): Adapter {
    return {
      ...NOTHING,
      upsert: (id, { jti: _id, userCode, ...payload }, seconds) => this.save(model, { id, userCode, payload, seconds }),
      find: (id) => this.find(model, id),
      consume: async (id) => {
        const isFirst = await this.items.consume(model, this.hashOf(model, id));
        if (isFirst || model === 'RefreshToken') return;
        // Of two that redeem a code at once, one is not its owner.
        const { grantId } = (await this.items.find(model, this.hashOf(model, id))) ?? {};
        if (typeof grantId === 'string') await this.grants.endByProgram(grantId);
        throw refuseUse();
      },
      destroy: (id) => this.items.delete(model, this.hashOf(model, id)),
      revokeByGrantId: (grantId) => this.items.deleteOfGrant(model, grantId),
    };
  }

  private async save(
    model: StoredModel,
    item: { id: string; userCode: unknown; payload: Payload; seconds: number },
  ): Promise<void> {
    const { grantId = null } = item.payload as { grantId?: string | null };
    await this.items.save(model, this.hashOf(model, item.id), {
      payload: item.payload,
      grantId: model === 'Interaction' ? null : grantId,
      userCode: typeof item.userCode === 'string' ? this.hashOfUserCode(item.userCode) : null,
      seconds: item.seconds,
    });
    if (model === 'RefreshToken' && grantId !== null) await this.grants.extend(grantId, item.seconds);
  }

  private async find(model: StoredModel, id: string): Promise<Payload | undefined> {
    const item = await this.items.find(model, this.hashOf(model, id));
    if (item === undefined) return undefined;
    const { payload, consumedAt, consumedFor } = item;
    const isGraced = model === 'RefreshToken' && (consumedFor ?? 0) < GRACE_SECONDS;
    return { ...payload, jti: id, ...(consumedAt !== null && !isGraced && { consumed: consumedAt }) };
  }

  private grantPayload({ id, userId, clientId, resource, scopes, createdAt, expiresAt }: LiveGrant): Payload {
    return {
      kind: 'Grant',
      jti: id,
      accountId: userId,
      clientId,
      resources: { [resourceAddress(this.settings, resource)]: scopes.join(' ') },
      iat: createdAt,
      exp: expiresAt,
    };
  }

  private hashOf(model: string, id: string): string {
    return createHmac('sha256', this.key).update(`${model}:${id}`).digest('base64url');
  }
}
