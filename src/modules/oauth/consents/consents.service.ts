import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError, invalidField, invalidInput, notFound, type FieldError } from '../../../common/errors.js';
import type { ProtectedResource } from '../../../common/programs.js';
import { Secrets } from '../../../platform/config/secrets.js';
import { Database } from '../../../platform/database/database.js';
import { GrantsService } from '../../tokens/grants.service.js';
import { ClientLookup } from '../clients/client-lookup.js';
import type { CreateConsentDto } from './consent.dto.js';
import type { ClientSource } from '../clients/oauth-clients.js';
import { WaitingRequests, type NamedRequest, type WaitingRequest } from '../waiting-requests.js';

/** What a person sees of a request before deciding. */
export interface ShownRequest {
  client_id: string;
  client_name: string;
  client_source: ClientSource;
  client_host: string | null;
  resource: ProtectedResource;
  redirect_host: string | null;
  scopes: string[];
  consent_token: string;
  expires_at: string;
}

export interface ConsentAnswer {
  status: 'granted' | 'refused';
  redirect_to: string | null;
}

/** Lets people decide about what programs of others ask for. */
@Injectable()
export class ConsentsService {
  private readonly key = this.secrets.keyFor('oauth-consent');

  constructor(
    private readonly access: Access,
    private readonly clients: ClientLookup,
    private readonly database: Database,
    private readonly grants: GrantsService,
    private readonly secrets: Secrets,
    private readonly waiting: WaitingRequests,
  ) {}

  async preview(me: Caller, named: NamedRequest, request: IncomingMessage): Promise<ShownRequest> {
    const asked = await this.waiting.find(me, named, request);
    return {
      client_id: asked.client.id,
      client_name: asked.client.name,
      client_source: asked.client.source,
      client_host: asked.client.host,
      resource: asked.resource,
      redirect_host: asked.redirectHost,
      scopes: asked.scopes,
      consent_token: this.tokenFor(me, asked).toString('base64url'),
      expires_at: asked.expiresAt.toISOString(),
    };
  }

  async create(me: Caller, dto: CreateConsentDto, request: IncomingMessage): Promise<ConsentAnswer> {
    const { organization_id: organizationId, endeavour_id: endeavourId, scopes } = dto;
    if (organizationId !== undefined && endeavourId !== undefined) {
      throw invalidField('endeavour_id', 'invalid_value', 'endeavour_id and organization_id cannot be combined.');
    }
    await this.assertVisible(me, dto, { isLocked: false });
    const asked = await this.waiting.find(me, dto, request);
    this.assertSeen(me, asked, dto.consent_token);
    assertAsked(asked, scopes);
    return this.database.transaction(async () => {
      await this.assertVisible(me, dto, { isLocked: true });
      if (!(await this.clients.keep(asked.client.id))) throw notFound();
      const id = await this.grants.create(me, {
        clientId: asked.client.id,
        resource: asked.resource,
        name: asked.client.name,
        scopes,
        organizationId: organizationId ?? null,
        endeavourId: endeavourId ?? null,
      });
      const redirectTo = await asked.answer({ userId: me.userId, granted: { id, resource: asked.resource, scopes } });
      return { status: 'granted', redirect_to: redirectTo };
    });
  }

  async refuse(me: Caller, named: NamedRequest, request: IncomingMessage): Promise<ConsentAnswer> {
    const asked = await this.waiting.find(me, named, request);
    const redirectTo = await asked.answer({ userId: me.userId, granted: null });
    return { status: 'refused', redirect_to: redirectTo };
  }

  private async assertVisible(me: Caller, dto: CreateConsentDto, lock: { isLocked: boolean }): Promise<void> {
    const { organization_id: organization, endeavour_id: endeavour } = dto;
    const { access } = this;
    if (organization !== undefined) {
      await access.resolveReference(me, 'organizations_get', 'organization_id', organization, 'organization', lock);
    }
    if (endeavour !== undefined) {
      await access.resolveReference(me, 'endeavours_get', 'endeavour_id', endeavour, 'endeavour', lock);
    }
  }

  /** Only a page that has shown the request in this session knows this token. */
  private tokenFor({ sessionId }: Caller, { key, client, resource, redirectHost, scopes }: WaitingRequest): Buffer {
    const { id, name, source } = client;
    const shown = JSON.stringify([sessionId, key, id, name, source, resource, redirectHost, ...scopes]);
    return createHmac('sha256', this.key).update(shown).digest();
  }

  private assertSeen(me: Caller, asked: WaitingRequest, sent: string): void {
    const expected = this.tokenFor(me, asked);
    const given = Buffer.from(sent, 'base64url');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw new ApiError('verification_failed', 'consent_token is not that of this request in this session.');
  }
}

function assertAsked(asked: WaitingRequest, scopes: readonly string[]): void {
  const errors = scopes.flatMap((scope, index): FieldError[] => {
    if (asked.scopes.includes(scope)) return [];
    const field = `scopes.${index}`;
    return [{ field, code: 'invalid_value', message: `${field} is not asked for by the program.` }];
  });
  if (errors.length > 0) throw invalidInput(errors);
}
