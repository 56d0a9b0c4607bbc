import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { AccessTokenSecrets } from '../../../access/authentication/access-token-secrets.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { invalidInput, type FieldError } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { changedValues } from '../../../platform/database/columns/columns.js';
import type { FieldNames, Representation, Wire } from '../../../platform/database/views/view.js';
import type { Actor } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../../platform/http/openapi/schemas.js';
import { Listing } from '../../../platform/listing/listing.js';
import { GrantsService } from '../../tokens/grants.service.js';
import { DEFAULT_GRANT_TYPES, type ClientMetadata } from './client-metadata.rules.js';
import type { CreateOauthClientDto, UpdateOauthClientDto } from './oauth-client.dto.js';
import { OauthClient, type Registrar } from './oauth-client.entity.js';
import { oauthClientList } from './oauth-client.list.js';
import { oauthClientView } from './oauth-client.view.js';
import { OauthClientsRepository } from './oauth-clients.repository.js';
import { OauthItemsRepository } from '../oauth-items.repository.js';
import { redirectUriFault } from './redirect-uri.rules.js';

/** A program with its secret, which is only returned when it is registered. */
export type FreshOauthClient = Wire<typeof oauthClientView> & { client_secret: string | null };

/** Keeps the programs of others that are registered here. */
@Injectable()
export class OauthClientsService {
  constructor(
    private readonly access: Access,
    private readonly clients: OauthClientsRepository,
    private readonly grants: GrantsService,
    private readonly items: OauthItemsRepository,
    private readonly listing: Listing,
    private readonly secrets: AccessTokenSecrets,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, oauthClientList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, oauthClientView, id, { fields });
  }

  async create(me: Caller, dto: CreateOauthClientDto): Promise<FreshOauthClient> {
    const redirectUris = dto.redirect_uris ?? [];
    const grantTypes = dto.grant_types ?? [...DEFAULT_GRANT_TYPES];
    assertUsable({ redirectUris, grantTypes });
    const authMethod = dto.token_endpoint_auth_method ?? 'none';
    return this.register(me, 'administrator', { name: dto.name, redirectUris, grantTypes, authMethod });
  }

  /** Registers a program that follows the rules; the actor is null for one that registers itself. */
  async register(
    actor: Actor | null,
    registeredBy: Registrar,
    { name, redirectUris, grantTypes, authMethod }: ClientMetadata & { name: string },
    registeredWith: string | null = null,
  ): Promise<FreshOauthClient> {
    const secret = authMethod === 'none' ? null : this.secrets.generate('client');
    const secretHash = secret === null ? null : this.secrets.hashOf(secret);
    const id = newId('oauth_client');
    const row = Object.assign(new OauthClient(), {
      id,
      name,
      registeredBy,
      registeredWith,
      redirectUris,
      grantTypes,
      authMethod,
      secretHash,
    });
    const created = await this.writer.create(actor, oauthClientView, OauthClient, { row, place: {}, title: name });
    return { ...created.read(oauthClientView), client_secret: secret };
  }

  async update(me: Caller, id: string, dto: UpdateOauthClientDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'oauth_clients_update', OauthClient, id);
    const { row: current, place } = opened;
    const { name, redirect_uris: redirectUris, grant_types: grantTypes } = dto;
    const changes = changedValues<OauthClient>(current, { name, redirectUris, grantTypes });
    assertUsable({
      redirectUris: changes.redirectUris ?? current.redirectUris,
      grantTypes: changes.grantTypes ?? current.grantTypes,
    });
    this.access.assertIfMatch(opened);
    if (changes.redirectUris !== undefined || changes.grantTypes !== undefined) await this.items.endRequestsOf(id);
    return this.writer.patch(me, oauthClientView, OauthClient, {
      current,
      changes,
      place,
      entityChanges: { title: changes.name },
    });
  }

  /** Deletes the program, and ends what people have granted to it. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    const opened = await this.access.lockForUpdate(me, 'oauth_clients_delete', OauthClient, id);
    this.access.assertIfMatch(opened);
    await this.end(me, opened.row);
    return { id, deleted: true };
  }

  /** Ends a program that registered itself and that no person has let act in time; false if there is none. */
  async endNextUnused(): Promise<boolean> {
    const client = await this.clients.lockUnused();
    if (client === undefined) return false;
    await this.end(null, client);
    return true;
  }

  private async end(actor: Actor | null, client: OauthClient): Promise<void> {
    await this.items.endRequestsOf(client.id);
    await this.grants.endOfClient(actor, client.id);
    // Not with the change, whose event contains former values.
    await this.clients.deleteSecret(client.id);
    await this.writer.remove(actor, oauthClientView, OauthClient, client, {}, { deletedAt: new Date() });
  }
}

/** The rules that the fields of a body do not check by themselves. */
function assertUsable({ redirectUris, grantTypes }: Pick<OauthClient, 'redirectUris' | 'grantTypes'>): void {
  const errors = redirectUris.flatMap((uri, index): FieldError[] => {
    const reason = redirectUriFault(uri);
    const field = `redirect_uris.${index}`;
    return reason === undefined ? [] : [{ field, code: 'invalid_value', message: `${field} ${reason}` }];
  });
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    const message = 'redirect_uris is required for authorization_code.';
    errors.push({ field: 'redirect_uris', code: 'required', message });
  }
  if (grantTypes.every((type) => type === 'refresh_token')) {
    const message = 'grant_types must contain authorization_code, or that of the device flow.';
    errors.push({ field: 'grant_types', code: 'invalid_value', message });
  }
  if (errors.length > 0) throw invalidInput(errors);
}
