import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { AccessTokenSecrets } from '../../../access/authentication/access-token-secrets.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict, notFound } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Wire } from '../../../platform/database/views/view.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../../platform/http/openapi/schemas.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import type { Statement } from '../../../platform/listing/definition.js';
import { Listing } from '../../../platform/listing/listing.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { OwnerMails } from '../../organizations/archive/owner-mails.js';
import type { CreateScimTokenDto } from './scim-token.dto.js';
import { ScimToken } from './scim-token.entity.js';
import { isTokenOf, scimTokenList } from './scim-token.list.js';
import { scimTokenView } from './scim-token.view.js';
import { ScimTokensRepository } from './scim-tokens.repository.js';

/** A token with its secret, which is only returned when it is created. */
export type FreshScimToken = Wire<typeof scimTokenView> & { token: string };

/** The old and the new one while a token is replaced. */
const MAX_LIVE = 2;
const LIFE_DAYS = 365;
const WARNING_MS = 30 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Manages the provisioning tokens of organizations, and tells their owners before one expires. */
@Injectable()
export class ScimTokensService implements OnModuleInit {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly listing: Listing,
    private readonly organizations: OrganizationsService,
    private readonly ownerMails: OwnerMails,
    private readonly repository: ScimTokensRepository,
    private readonly secrets: AccessTokenSecrets,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('scim_token_expiry', HOUR_MS, () => this.warn());
  }

  async list(me: Caller, organizationId: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(scimTokenList, query);
    await this.access.authorizeWithoutLock(me, 'organizations_scim_tokens_list', organizationId);
    const baseCondition = ({ bind }: Statement): string => isTokenOf(bind(organizationId));
    return this.listing.pageOf(me, { ...scimTokenList, baseCondition }, request);
  }

  async create(me: Caller, organizationId: string, { name }: CreateScimTokenDto): Promise<FreshScimToken> {
    const opened = await this.organizations.lockForUpdate(me, 'organizations_scim_tokens_create', organizationId);
    this.access.assertWritable(opened);
    if ((await this.repository.countLive(organizationId)) >= MAX_LIVE) {
      throw conflict('too_many_tokens', `An organization can have ${MAX_LIVE} provisioning tokens; delete one first.`);
    }
    const token = this.secrets.generate('provisioning');
    const row = Object.assign(new ScimToken(), {
      id: newId('scim_token'),
      organizationId,
      madeBy: me.userId,
      name,
      hash: this.secrets.hashOf(token),
      expiresAt: await this.repository.expiryAfter(LIFE_DAYS),
    });
    const place = { organizationId };
    const created = await this.writer.create(me, scimTokenView, ScimToken, { row, place, title: 'Provisioning token' });
    return { ...created.read(scimTokenView), token };
  }

  /** Ends the token; it is invalid on every replica when the response is sent. */
  async delete(me: Caller, organizationId: string, id: string): Promise<Deleted> {
    await this.access.authorize(me, 'organizations_scim_tokens_delete', organizationId);
    const current = await this.repository.lock(organizationId, id);
    if (current === undefined) throw notFound();
    this.access.assertIfMatch({ row: current });
    // Not with the change, whose event contains former values.
    await this.repository.deleteSecret(id);
    const changes = { endedAt: new Date() };
    await this.writer.remove(me, scimTokenView, ScimToken, current, { organizationId }, changes);
    return { id, deleted: true };
  }

  private async warn(): Promise<void> {
    const before = new Date(this.clock.now().getTime() + WARNING_MS);
    let isMore = true;
    while (isMore) isMore = await this.database.transaction(() => this.warnOfNext(before));
  }

  private async warnOfNext(before: Date): Promise<boolean> {
    const due = await this.repository.takeExpiring(before);
    if (due === undefined) return false;
    const place = { id: due.organizationId, name: due.organizationName };
    const values = { token_name: due.name, date: due.expiresAt.toISOString().slice(0, 10) };
    await this.ownerMails.send(null, 'scim_token_expiring', place, values);
    return true;
  }
}
