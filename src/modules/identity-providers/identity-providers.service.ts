import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { normalizeDomain } from '../../common/network/domains.js';
import { administratorRequired, conflict, invalidInput, type FieldError } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { changedValues } from '../../platform/database/columns/columns.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Listing } from '../../platform/listing/listing.js';
import { DomainsService } from '../domains/domains.service.js';
import type { CreateIdentityProviderDto, UpdateIdentityProviderDto } from './identity-provider.dto.js';
import { DEFAULT_SCOPES, IdentityProvider } from './identity-provider.entity.js';
import { identityProviderList } from './identity-provider.list.js';
import { identityProviderView } from './identity-provider.view.js';
import { IdentityProvidersRepository } from './identity-providers.repository.js';
import { ProviderRequests } from './protocol/provider-requests.js';
import { SignInRules } from './sign-in/sign-in-rules.service.js';
import { domainErrors, groupErrors, isShared, issuerErrors, MAX_PROVIDERS, scopeErrors } from './provider.rules.js';

/** Manages the identity providers of organizations and of the installation. */
@Injectable()
export class IdentityProvidersService {
  constructor(
    private readonly access: Access,
    private readonly domains: DomainsService,
    private readonly listing: Listing,
    private readonly providers: IdentityProvidersRepository,
    private readonly requests: ProviderRequests,
    private readonly rules: SignInRules,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, identityProviderList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, identityProviderView, id, { fields });
  }

  async create(me: Caller, dto: CreateIdentityProviderDto): Promise<Representation> {
    const errors = [...issuerErrors(dto.issuer), ...scopeErrors(dto.scopes), ...domainErrors(dto.domains)];
    if (errors.length === 0) errors.push(...(await this.requests.errorsOf(dto.issuer)));
    assertNone(errors);
    const organizationId = dto.organization_id ?? null;
    await this.assertMayCreate(me, organizationId);
    const id = newId('identity_provider');
    const row = Object.assign(new IdentityProvider(), {
      id,
      organizationId,
      name: dto.name,
      issuer: dto.issuer,
      clientId: dto.client_id,
      clientSecret: this.providers.sealed(id, dto.client_secret),
      scopes: dto.scopes?.length ? dto.scopes : DEFAULT_SCOPES,
      domains: domainsOf(dto.domains),
      trustEmail: dto.trust_email ?? false,
      provesSecondFactor: dto.proves_second_factor ?? false,
      jit: dto.jit ?? false,
      role: dto.role ?? 'member',
      groupsClaim: dto.groups_claim ?? null,
      groupRoles: dto.group_roles ?? [],
      required: dto.required ?? false,
      isEnabled: dto.is_enabled ?? true,
    });
    const unproved = await this.unprovedIn(row, []);
    assertNone([...trustErrors(row), ...groupErrors(row), ...confirmationErrors(me, row, unproved)]);
    if (organizationId !== null) await this.domains.confirmNamed(me, organizationId, unproved);
    if (isOnlyWayIn(row)) await this.rules.assertOwnerKeepsAWayIn(organizationId);
    const place = { organizationId };
    return this.writer.create(me, identityProviderView, IdentityProvider, { row, place, title: row.name });
  }

  async update(me: Caller, id: string, dto: UpdateIdentityProviderDto): Promise<Representation> {
    assertNone([...scopeErrors(dto.scopes), ...domainErrors(dto.domains)]);
    const opened = await this.access.lockForUpdate(me, 'identity_providers_update', IdentityProvider, id);
    const { row: current, place } = opened;
    const { client_secret: secret, scopes, domains } = dto;
    const changes = changedValues<IdentityProvider>(current, {
      name: dto.name,
      clientId: dto.client_id,
      // Encrypting the same secret twice gives two texts, so a secret that is sent is a change.
      clientSecret: secret === undefined ? undefined : this.providers.sealed(id, secret),
      scopes: scopes === undefined ? undefined : scopes?.length ? scopes : DEFAULT_SCOPES,
      domains: domains === undefined ? undefined : domainsOf(domains),
      trustEmail: dto.trust_email,
      provesSecondFactor: dto.proves_second_factor,
      jit: dto.jit,
      role: dto.role,
      groupsClaim: dto.groups_claim,
      groupRoles: dto.group_roles === null ? [] : dto.group_roles,
      required: dto.required,
      isEnabled: dto.is_enabled,
    });
    const next = Object.assign(new IdentityProvider(), current, changes);
    const unproved = await this.unprovedIn(next, current.domains);
    assertNone([...trustErrors(next), ...groupErrors(next), ...confirmationErrors(me, next, unproved)]);
    this.access.assertWritable(opened);
    if (next.organizationId !== null) await this.domains.confirmNamed(me, next.organizationId, unproved);
    if (isOnlyWayIn(next) && !isOnlyWayIn(current)) await this.rules.assertOwnerKeepsAWayIn(next.organizationId);
    return this.writer.patch(me, identityProviderView, IdentityProvider, {
      current,
      changes,
      place,
      entityChanges: { title: changes.name },
    });
  }

  /** Deletes the provider, which ends sign-ins with it. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    const opened = await this.access.lockForUpdate(me, 'identity_providers_delete', IdentityProvider, id);
    const { row: current, place } = opened;
    this.access.assertIfMatch({ row: current });
    const changes = { deletedAt: new Date(), isEnabled: false, clientSecret: null };
    await this.writer.remove(me, identityProviderView, IdentityProvider, current, place, changes);
    return { id, deleted: true };
  }

  /** Those of the domains that are new and that the organization of the provider has not proved. */
  private async unprovedIn(
    { organizationId, domains }: Pick<IdentityProvider, 'organizationId' | 'domains'>,
    kept: readonly string[],
  ): Promise<string[]> {
    if (organizationId === null || domains.length === 0) return [];
    const proved = await this.domains.provedAmong(organizationId, domains);
    return domains.filter((domain) => !proved.includes(domain) && !kept.includes(domain));
  }

  private async assertMayCreate(me: Caller, organizationId: string | null): Promise<void> {
    if (organizationId === null) {
      if (me.isAdmin) return;
      throw administratorRequired();
    }
    const options = { kind: 'organization', exclusive: true } as const;
    const operation = 'identity_providers_create';
    const place = await this.access.lockReference(me, operation, 'organization_id', organizationId, options);
    this.access.assertWritable(place);
    if ((await this.providers.count(organizationId)) < MAX_PROVIDERS) return;
    throw conflict(
      'too_many_providers',
      `The organization already has ${MAX_PROVIDERS} identity providers; delete one first.`,
    );
  }
}

const domainsOf = (domains: readonly string[] | null = []): string[] => [
  ...new Set((domains ?? []).flatMap((domain) => normalizeDomain(domain) ?? [])),
];

/** Anybody can have an account with any address at a shared issuer. */
const trustErrors = ({ trustEmail, issuer }: Pick<IdentityProvider, 'trustEmail' | 'issuer'>): FieldError[] =>
  trustEmail && isShared(issuer)
    ? [
        {
          field: 'trust_email',
          code: 'invalid_value',
          message: 'trust_email must be false, because many companies have accounts under this issuer.',
        },
      ]
    : [];

/** An administrator of the service confirms a domain by naming it; owners name those that the organization has proved. */
const confirmationErrors = (
  me: Caller,
  { domains }: Pick<IdentityProvider, 'domains'>,
  unproved: readonly string[],
): FieldError[] =>
  me.isAdmin
    ? []
    : unproved.map((domain): FieldError => {
        const field = `domains.${domains.indexOf(domain)}`;
        const message = `The organization has not proved that ${domain} is its own; see POST /organizations/{id}/domains.`;
        return { field, code: 'invalid_value', message };
      });

/** Whether members can sign in with the provider only. */
const isOnlyWayIn = ({ required, isEnabled }: Pick<IdentityProvider, 'required' | 'isEnabled'>): boolean =>
  required && isEnabled;

function assertNone(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidInput(errors);
}
