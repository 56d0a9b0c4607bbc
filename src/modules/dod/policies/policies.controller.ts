import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { lineageSchema } from '../../../access/visibility/lineage.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { CreatePolicyDto, UpdatePolicyDto, VersionPolicyDto } from './policy.dto.js';
import { PoliciesService } from './policies.service.js';
import { policyList } from './policy.list.js';
import { PolicyVersionsService } from './policy-versions.service.js';
import { policyView } from './policy.view.js';

const representation = Object.keys(policyView.fields);
const readOnlyHint = 'Create a new version with POST /dod-policies/{id}/versions.';
const Id = () => Param('id', bodies.PathId('dod_policy'));

@ApiTags('Dod')
@Controller('dod-policies')
export class PoliciesController {
  constructor(
    private readonly policies: PoliciesService,
    private readonly versions: PolicyVersionsService,
  ) {}

  @Get()
  @Operation('dod_policies_list', { summary: 'List DoD policies', list: policyList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.policies.list(me, query);
  }

  @TransactionalPost()
  @Operation('dod_policies_create', {
    summary: 'Create DoD policy',
    status: 201,
    body: CreatePolicyDto,
    response: policyView,
    refuses: ['archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreatePolicyDto, { representation })) dto: CreatePolicyDto,
  ): Promise<Representation> {
    return this.policies.create(me, dto);
  }

  @Get(':id')
  @Operation('dod_policies_get', { summary: 'Get DoD policy', path: { id: 'dod_policy' }, resource: policyView })
  get(@CurrentCaller() me: Caller, @Id() id: string, @Fields(policyView) fields?: FieldNames): Promise<Representation> {
    return this.policies.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('dod_policies_update', {
    summary: 'Update DoD policy',
    description: `Updates the name, description, status and metadata. The conditions of a policy cannot be changed. ${readOnlyHint}`,
    path: { id: 'dod_policy' },
    body: UpdatePolicyDto,
    response: policyView,
    refuses: ['conflict', 'archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdatePolicyDto, { representation, readOnlyHint })) dto: UpdatePolicyDto,
  ): Promise<Representation> {
    return this.policies.update(me, id, dto);
  }

  @Get(':id/lineage')
  @Operation('dod_policies_lineage_list', {
    summary: 'Get policy version lineage',
    description: 'Returns the earlier versions and this one, oldest first.',
    path: { id: 'dod_policy' },
    response: lineageSchema(policyView),
  })
  lineage(@CurrentCaller() me: Caller, @Id() id: string): Promise<unknown[]> {
    return this.policies.chain(me, id);
  }

  @TransactionalPost(':id/versions')
  @Operation('dod_policies_versions_create', {
    summary: 'Create new policy version',
    description:
      'Properties that you omit are taken from the old version, which is archived. Every endeavour where you ' +
      'can assign policies gets the new version, and endorsements of the old version there are superseded; ' +
      'other endeavours keep the old version. A built-in policy is copied instead and stays unchanged.',
    status: 201,
    createdIn: '/dod-policies',
    path: { id: 'dod_policy' },
    body: VersionPolicyDto,
    bodyOptional: true,
    response: policyView,
    refuses: ['forbidden', 'archived', 'precondition_failed'],
  })
  version(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(VersionPolicyDto, { representation })) dto: VersionPolicyDto,
  ): Promise<Representation> {
    return this.versions.create(me, id, dto);
  }
}
