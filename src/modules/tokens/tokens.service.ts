import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { AccessToken } from '../../access/authentication/access-token.entity.js';
import { CALENDAR_IDLE_DAYS, CALENDAR_SCOPES } from '../../access/authentication/calendar-tokens.js';
import { AccessTokenSecrets } from '../../access/authentication/access-token-secrets.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { conflict, invalidField, invalidInput, notFound, type FieldError } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { parseInstant } from '../../common/time.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { isNetwork } from '../../platform/config/networks.js';
import { Settings } from '../../platform/config/settings.js';
import type { FieldNames, Representation, Wire } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RequestContext } from '../../platform/context/request-context.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateTokenDto, RotateTokenDto, UpdateTokenDto } from './token.dto.js';
import { tokenList } from './token.list.js';
import { tokenView } from './token.view.js';
import { TokensRepository, type DirectedAgent, type UnprovedToken } from './tokens.repository.js';

export type { DirectedAgent };

/** A token with its secret, which is only returned when it is generated. */
export type FreshToken = Wire<typeof tokenView> & { token: string };

const MAX_LIVE = 50;
const USUAL_DAYS = 90;

/** Manages access tokens, with which programs act on behalf of a user. */
@Injectable()
export class TokensService {
  private tellManager: ((me: Caller, agent: DirectedAgent) => Promise<void>) | undefined;

  constructor(
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly listing: Listing,
    private readonly repository: TokensRepository,
    private readonly secrets: AccessTokenSecrets,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, tokenList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const token = await this.repository.read(me.userId, id, fields);
    if (token === undefined) throw notFound();
    return token;
  }

  create(me: Caller, dto: CreateTokenDto): Promise<FreshToken> {
    return this.createFor(me, me.userId, dto);
  }

  /** Sets what tells the manager of an agent that somebody else has created a token for it. */
  onCreatedByOther(tell: (me: Caller, agent: DirectedAgent) => Promise<void>): void {
    this.tellManager = tell;
  }

  /** 404 for users who neither manage the agent nor administer its organization. */
  async createForAgent(me: Caller, agentId: string, dto: CreateTokenDto): Promise<FreshToken> {
    const agent = await this.repository.lockAgent(me, agentId);
    if (agent === undefined) throw notFound();
    const token = await this.createFor(me, agentId, dto);
    if (agent.managerId !== me.userId) await this.tellManager?.(me, agent);
    return token;
  }

  private async createFor(me: Caller, userId: string, dto: CreateTokenDto): Promise<FreshToken> {
    assertShape(dto);
    const {
      kind = 'access',
      name = 'Calendar',
      organization_id,
      endeavour_id,
      allowed_networks: allowedNetworks = [],
    } = dto;
    const { scopes = CALENDAR_SCOPES } = dto;
    const idleDays = kind === 'calendar' && dto.expires_at === undefined ? CALENDAR_IDLE_DAYS : null;
    const expiresAt = await this.expiryOf(dto.expires_at, idleDays);
    if (organization_id !== undefined) {
      await this.access.resolveReference(me, 'organizations_get', 'organization_id', organization_id, 'organization');
    }
    if (endeavour_id !== undefined) {
      await this.access.resolveReference(me, 'endeavours_get', 'endeavour_id', endeavour_id, 'endeavour');
    }
    await this.assertBelowLimit(userId);
    // The user is locked now: what ends all sessions and tokens has ended this session, or will end the token.
    if (!(await this.sessions.isOpen(me.sessionId))) throw unauthorized();
    const row = Object.assign(new AccessToken(), {
      id: newId('access_token'),
      userId,
      madeBy: me.userId,
      kind,
      name,
      scopes: [...scopes],
      organizationId: organization_id ?? null,
      endeavourId: endeavour_id ?? null,
      allowedNetworks,
      expiresAt,
      idleDays,
      hasSecondFactor: me.hasSecondFactor === true,
      provedTo: me.provedTo ?? null,
    });
    const token = this.secrets.generate();
    const created = await this.writer.create(me, tokenView, AccessToken, {
      row,
      place: { ownerUserId: userId },
      title: 'Access token',
      childRows: () => this.repository.replaceSecret(row.id, this.secrets.hashOf(token), 0),
    });
    return { ...created.read(tokenView), token };
  }

  async update(me: Caller, id: string, { name }: UpdateTokenDto): Promise<Representation> {
    const current = await this.lock(me, id);
    const place = { ownerUserId: current.userId };
    return this.writer.patch(me, tokenView, AccessToken, { current, changes: { name }, place });
  }

  /**
   * Replaces the secret; an expired token stays expired. Without the rights of who made the token, its old secret must not
   * get those of the caller.
   */
  async rotate(me: Caller, id: string, { overlap = 0 }: RotateTokenDto): Promise<FreshToken> {
    const current = await this.lock(me, id);
    if (!current.isLive) throw conflict('token_expired', 'This token has expired; create a new one.');
    if (overlap > 0 && current.madeBy !== me.userId)
      throw invalidField('overlap', 'out_of_range', 'overlap must be 0, because another user created this token.');
    const token = this.secrets.generate();
    await this.repository.replaceSecret(id, this.secrets.hashOf(token), overlap);
    await this.repository.changeMaker(id, me, { isOldSecretValid: overlap > 0 });
    const rotated = await this.writer.recordChange(
      me,
      tokenView,
      id,
      { ownerUserId: current.userId },
      {
        type: 'access_token.rotated',
      },
    );
    return { ...rotated.read(tokenView), token };
  }

  /** Deletes the token; its secrets are invalid on every replica when the response is sent. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    await this.end(me, await this.lock(me, id));
    return { id, deleted: true };
  }

  /** Ends all tokens of a user, and those that they created for others. */
  async endAll(actor: Actor | null, userId: string): Promise<void> {
    for (const token of await this.repository.lockAll(userId)) await this.end(actor, token);
  }

  /** Locks the valid tokens that reach what the organization is the home of, and were made without a second factor. */
  unprovedIn(organizationId: string): Promise<UnprovedToken[]> {
    return this.repository.lockUnproved(organizationId);
  }

  /** Ends tokens by their ids. */
  async endThese(actor: Actor, ids: readonly string[]): Promise<void> {
    for (const token of await this.repository.lockThese(ids)) await this.end(actor, token);
  }

  /** Ends the tokens of a user that reach into the organization: unrestricted ones, and those restricted to it or its endeavours. */
  async endReaching(actor: Actor, userId: string, organizationId: string): Promise<void> {
    for (const token of await this.repository.lockReaching(userId, organizationId)) await this.end(actor, token);
  }

  private async end(actor: Actor | null, token: AccessToken): Promise<void> {
    await this.repository.deleteSecrets([token.id]);
    const place = { ownerUserId: token.userId };
    await this.writer.remove(actor, tokenView, AccessToken, token, place, { endedAt: new Date() });
  }

  private async lock(me: Caller, id: string): Promise<AccessToken & { isLive: boolean }> {
    const current = await this.repository.lock(me.userId, id);
    if (current === undefined) throw notFound();
    this.context.assertIfMatch(current.revision);
    return current;
  }

  private async assertBelowLimit(userId: string): Promise<void> {
    if ((await this.repository.countLive(userId)) < MAX_LIVE) return;
    throw conflict('too_many_tokens', `You can have at most ${MAX_LIVE} access tokens; delete one first.`);
  }

  private async expiryOf(sent: string | undefined, idleDays: number | null): Promise<Date> {
    const { TOKEN_DAYS: most } = this.settings;
    const usualDays = idleDays ?? Math.min(most, USUAL_DAYS);
    const { now, latest, usual } = await this.repository.expiries({ most, usual: usualDays });
    if (sent === undefined) return usual;
    const expiresAt = parseInstant(sent) as Date;
    if (expiresAt > now && expiresAt <= latest) return expiresAt;
    throw invalidField(
      'expires_at',
      'out_of_range',
      `expires_at must be in the future and at most ${most} days from now.`,
    );
  }
}

function assertShape({ kind, scopes, organization_id, endeavour_id, allowed_networks = [] }: CreateTokenDto): void {
  const errors = allowed_networks.flatMap((network, index): FieldError[] => {
    if (isNetwork(network)) return [];
    const field = `allowed_networks.${index}`;
    return [
      { field, code: 'invalid_format', message: `${field} must be an IP address or a network such as 10.0.0.0/8.` },
    ];
  });
  if (organization_id !== undefined && endeavour_id !== undefined) {
    const message = 'endeavour_id and organization_id cannot be combined.';
    errors.push({ field: 'endeavour_id', code: 'invalid_value', message });
  }
  errors.push(...(kind === 'calendar' ? calendarErrors({ scopes, organization_id }) : []));
  if (errors.length > 0) throw invalidInput(errors);
}

function calendarErrors({ scopes, organization_id }: Pick<CreateTokenDto, 'scopes' | 'organization_id'>): FieldError[] {
  const errors: FieldError[] = [];
  if (scopes !== undefined) {
    const message = 'scopes is not allowed for a calendar token.';
    errors.push({ field: 'scopes', code: 'invalid_value', message });
  }
  if (organization_id !== undefined) {
    const message =
      'organization_id is not allowed for a calendar token; send an endeavour_id, or neither for your own calendar.';
    errors.push({ field: 'organization_id', code: 'invalid_value', message });
  }
  return errors;
}
