import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { ChildLists } from '../../access/visibility/child-lists.js';
import type { Caller } from '../../access/authentication/caller.js';
import { normalizeDomain } from '../../common/network/domains.js';
import { conflict, invalidField, notFound, type ApiError } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Limits } from '../../platform/limits/limits.js';
import type { CreateDomainDto } from './domain.dto.js';
import { Domain } from './domain.entity.js';
import { domainList, domainsOf } from './domain.list.js';
import { DomainRecords } from './domain-records.js';
import { isPublicDomain, MAX_DOMAINS } from './domain.rules.js';
import { domainView } from './domain.view.js';
import { DomainsRepository } from './domains.repository.js';

const TOKEN_BYTES = 24;
const DAY_MS = 86_400_000;

/** Limits the lookups that one user can make the service send. */
const LOOKUPS = { name: 'domain_lookups', counts: 'lookups of domains', most: 60, seconds: 3_600, setting: null };

/** Manages the domains that organizations claim, and proves that they are their own. */
@Injectable()
export class DomainsService {
  constructor(
    private readonly access: Access,
    private readonly childLists: ChildLists,
    private readonly database: Database,
    private readonly domains: DomainsRepository,
    private readonly limits: Limits,
    private readonly records: DomainRecords,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, organizationId: string, query: RawQuery): Promise<Page> {
    return this.childLists.page(me, organizationId, query, { list: domainList, belongs: domainsOf });
  }

  async get(me: Caller, organizationId: string, id: string, fields?: FieldNames): Promise<Representation> {
    const found = await this.access.find(me, id);
    if (found?.place.organizationId !== organizationId) throw notFound();
    return this.access.getOr404(me, domainView, id, { fields });
  }

  async create(me: Caller, organizationId: string, dto: CreateDomainDto): Promise<Representation> {
    const domain = domainIn(dto.domain);
    const place = await this.access.authorize(me, 'organizations_domains_create', organizationId);
    this.access.assertWritable(place);
    // Two claims of one organization wait for each other.
    await this.access.lock(me, organizationId, { exclusive: true });
    if ((await this.domains.lockClaim(organizationId, domain)) !== undefined) {
      throw conflict('domain_claimed', 'The organization claims this domain already.');
    }
    if ((await this.domains.count(organizationId)) >= MAX_DOMAINS) {
      throw conflict('too_many_domains', `The organization already claims ${MAX_DOMAINS} domains; delete one first.`);
    }
    return this.insert(me, organizationId, domain, false);
  }

  /** Looks the record up before the transaction, which would otherwise hold a connection while it waits. */
  async verify(me: Caller, organizationId: string, id: string): Promise<Representation> {
    await this.access.authorizeWithoutLock(me, 'organizations_domains_verify', organizationId);
    await this.limits.consume(LOOKUPS, me.userId);
    const { domain, token } = await this.database.transaction(() => this.lock(me, organizationId, id, 'verify'));
    const state = await this.records.stateOf(domain, token);
    if (state === 'absent') throw conflict('record_absent', recordAbsent(domain));
    if (state === 'unknown') throw conflict('name_servers_silent', namesUnknown(domain));
    return this.database.transaction(async () => {
      const current = await this.lock(me, organizationId, id, 'verify');
      return this.prove(me, current, { isConfirmed: false });
    });
  }

  /** Confirms a domain by hand. */
  async confirm(me: Caller, organizationId: string, id: string): Promise<Representation> {
    return this.prove(me, await this.lock(me, organizationId, id, 'confirm'), { isConfirmed: true });
  }

  async delete(me: Caller, organizationId: string, id: string): Promise<Deleted> {
    const current = await this.lock(me, organizationId, id, 'delete');
    const changes = { deletedAt: new Date(), provedAt: null, isConfirmed: false, checkDueAt: null };
    await this.writer.remove(me, domainView, Domain, current, { organizationId }, changes);
    return { id, deleted: true };
  }

  /** The organization that has proved the domain; undefined if none has. */
  proverOf(domain: string): Promise<string | undefined> {
    return this.domains.proverOf(domain);
  }

  /** Those of the domains that the organization has proved. */
  provedAmong(organizationId: string, domains: readonly string[]): Promise<string[]> {
    return this.domains.provedAmong(organizationId, domains);
  }

  /** Confirms domains by hand that an administrator names for an organization, which need not claim them yet. */
  async confirmNamed(me: Caller, organizationId: string, domains: readonly string[]): Promise<void> {
    for (const domain of domains) {
      const current = await this.domains.lockClaim(organizationId, domain);
      if (current !== undefined) await this.prove(me, current, { isConfirmed: true });
      else await this.insert(me, organizationId, domain, true);
    }
  }

  private async insert(
    me: Caller,
    organizationId: string,
    domain: string,
    isConfirmed: boolean,
  ): Promise<Representation> {
    if (isConfirmed) await this.assertFree(organizationId, domain);
    const row = Object.assign(new Domain(), {
      id: newId('domain'),
      organizationId,
      domain,
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      provedAt: isConfirmed ? new Date() : null,
      isConfirmed,
      absentDays: 0,
    });
    return this.writer.create(me, domainView, Domain, { row, place: { organizationId }, title: domain });
  }

  private async lock(
    me: Caller,
    organizationId: string,
    id: string,
    act: 'verify' | 'confirm' | 'delete',
  ): Promise<Domain> {
    const opened = await this.access.lockForUpdate(me, `organizations_domains_${act}`, Domain, id);
    if (opened.row.organizationId !== organizationId) throw notFound();
    if (act === 'delete') this.access.assertIfMatch(opened);
    else this.access.assertWritable(opened);
    return opened.row;
  }

  /** 409 `domain_taken` if another organization has proved the domain. */
  private async prove(me: Caller, current: Domain, { isConfirmed }: { isConfirmed: boolean }): Promise<Representation> {
    const { id, organizationId, domain, provedAt, absentDays } = current;
    const isDone = provedAt !== null && absentDays === 0 && (current.isConfirmed || !isConfirmed);
    if (isDone) return this.writer.read(me, domainView, id);
    await this.assertFree(organizationId, domain);
    const now = new Date();
    const checkDueAt = isConfirmed ? null : new Date(now.getTime() + DAY_MS);
    return this.writer.patch(me, domainView, Domain, {
      current,
      changes: { provedAt: provedAt ?? now, isConfirmed, absentDays: 0, checkDueAt },
      place: { organizationId },
    });
  }

  private async assertFree(organizationId: string, domain: string): Promise<void> {
    await this.domains.lockDomain(domain);
    const prover = await this.domains.proverOf(domain);
    if (prover !== undefined && prover !== organizationId) throw domainTaken(domain);
  }
}

const domainTaken = (domain: string): ApiError =>
  conflict('domain_taken', `Another organization speaks for ${domain}; it must give it up first.`);

const recordAbsent = (domain: string): string =>
  `${domain} has no TXT record with the record_value. Name servers can take hours to show a new record.`;

const namesUnknown = (domain: string): string =>
  `The name servers of ${domain} do not answer at the moment. Try again later.`;

function domainIn(text: string): string {
  const domain = normalizeDomain(text);
  if (domain === undefined)
    throw invalidField('domain', 'invalid_format', 'domain must be a domain such as example.com.');
  if (isPublicDomain(domain))
    throw invalidField(
      'domain',
      'invalid_value',
      `Anyone can get an address in ${domain}, so no organization can claim it.`,
    );
  return domain;
}
