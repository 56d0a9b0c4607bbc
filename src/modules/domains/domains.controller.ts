import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { OwnTransactions, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { TransactionalDelete, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateDomainDto } from './domain.dto.js';
import { domainList } from './domain.list.js';
import { domainView } from './domain.view.js';
import { DomainsService } from './domains.service.js';

const Id = () => Param('id', bodies.PathId('organization'));
const DomainId = () => Param('domain_id', bodies.PathId('domain'));
const path = { id: 'organization' } as const;
const domainPath = { id: 'organization', domain_id: 'domain' } as const;
const representation = Object.keys(domainView.fields);

@WithoutDryRun(true)
@ApiTags('Identity')
@Controller('organizations/:id/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get()
  @Operation('organizations_domains_list', {
    summary: 'List domains of an organization',
    description: 'Returns the domains of e-mail addresses that the organization claims, proved or not.',
    path,
    list: domainList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.domains.list(me, id, query);
  }

  @TransactionalPost()
  @Operation('organizations_domains_create', {
    summary: 'Claim a domain',
    description:
      'Claims a domain for the organization. Add a TXT record with the name `record_name` and the text `record_value` to the ' +
      'domain, and call `verify`. An organization can claim at most 50 domains (409 `too_many_domains`).',
    status: 201,
    path,
    body: CreateDomainDto,
    response: domainView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(CreateDomainDto, { representation })) dto: CreateDomainDto,
  ): Promise<Representation> {
    return this.domains.create(me, id, dto);
  }

  @Get(':domain_id')
  @Operation('organizations_domains_get', { summary: 'Get a domain', path: domainPath, resource: domainView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @DomainId() domainId: string,
    @Fields(domainView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.domains.get(me, id, domainId, fields);
  }

  @TransactionalPost(':domain_id/verify')
  @OwnTransactions(true)
  @Operation('organizations_domains_verify', {
    summary: 'Prove a domain',
    description:
      'Looks up the TXT record. The first organization that proves a domain has it (409 `domain_taken` for others). 409 ' +
      '`record_absent` without the record, `name_servers_silent` without an answer. The record has to stay: it is looked up ' +
      'every day, and the proof ends when it has been absent for seven days running.',
    path: domainPath,
    response: domainView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  verify(@CurrentCaller() me: Caller, @Id() id: string, @DomainId() domainId: string): Promise<Representation> {
    return this.domains.verify(me, id, domainId);
  }

  @TransactionalPost(':domain_id/confirm')
  @Operation('organizations_domains_confirm', {
    summary: 'Confirm a domain (admin)',
    description:
      'Confirms by hand that the domain belongs to the organization, without a record. 409 `domain_taken` if another ' +
      'organization has proved it.',
    path: domainPath,
    response: domainView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  confirm(@CurrentCaller() me: Caller, @Id() id: string, @DomainId() domainId: string): Promise<Representation> {
    return this.domains.confirm(me, id, domainId);
  }

  @TransactionalDelete(':domain_id')
  @Operation('organizations_domains_delete', {
    summary: 'Give up a domain',
    description: 'Ends the proof: providers of the organization no longer speak for addresses in the domain.',
    path: domainPath,
    response: DELETED,
    refuses: ['precondition_failed'],
  })
  delete(@CurrentCaller() me: Caller, @Id() id: string, @DomainId() domainId: string): Promise<Deleted> {
    return this.domains.delete(me, id, domainId);
  }
}
