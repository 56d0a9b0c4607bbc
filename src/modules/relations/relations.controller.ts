import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { TransactionalDelete, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateRelationDto } from './relation.dto.js';
import { relationList } from './relation.list.js';
import { relationView } from './relation.view.js';
import { RelationsService } from './relations.service.js';

const representation = Object.keys(relationView.fields);

@ApiTags('Relations')
@Controller('relations')
export class RelationsController {
  constructor(private readonly relations: RelationsService) {}

  @Get()
  @Operation('relations_list', {
    summary: 'List relations',
    description:
      'Returns the relations of which you can see both ends. Memberships and links are included only on request.',
    list: relationList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.relations.list(me, query);
  }

  @TransactionalPost()
  @Operation('relations_create', {
    summary: 'Create relation',
    description:
      'A relation does not assign work or grant permissions. Returns 409 `duplicate_relation` ' +
      'if the same relation exists, 409 `cycle` if it would close a cycle of depends_on and blocks (which is depends_on ' +
      'in the opposite direction) or of parent_of within an endeavour, and 409 `too_many_dependencies` if a task would ' +
      'have more than 500 of these there. A task can have one parent (`has_parent`) and five levels of parts (`too_deep`).\n\n' +
      'Some types represent memberships and links: has_member from an organization or team to a resource, member_of in ' +
      'the opposite direction, belongs_to and participates_in from a resource to an endeavour, and belongs_to from an ' +
      'endeavour to an organization. Creating such a relation does the same as the operation for the membership, with ' +
      'the same checks and errors and with the role in `metadata.role` (for endeavours also ' +
      '`metadata.stakeholder_roles`). To change the role, PATCH the member.',
    status: 201,
    body: CreateRelationDto,
    response: relationView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed', 'tier_limit', 'velocity_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateRelationDto, { representation })) dto: CreateRelationDto,
  ): Promise<Representation> {
    return this.relations.create(me, dto);
  }

  @Get(':id')
  @Operation('relations_get', { summary: 'Get relation', path: { id: 'relation' }, resource: relationView })
  get(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('relation')) id: string,
    @Fields(relationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.relations.get(me, id, fields);
  }

  @TransactionalDelete(':id')
  @Operation('relations_delete', {
    summary: 'Delete relation',
    description:
      'Deleting a relation that represents a membership or link ends that membership or link, like its own operation.',
    path: { id: 'relation' },
    response: DELETED,
    refuses: ['forbidden', 'archived', 'conflict', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('relation')) id: string): Promise<Deleted> {
    await this.relations.remove(me, id);
    return { id, deleted: true };
  }
}
