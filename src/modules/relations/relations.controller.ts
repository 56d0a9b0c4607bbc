import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
import { Fields } from '../../platform/http/selected-fields.js';
import { Delete, Post } from '../../platform/http/routes.js';
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
    description: 'Relations of which you see both ends. Memberships and links are among them only when asked for.',
    list: relationList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.relations.list(me, query);
  }

  @Post()
  @Operation('relations_create', {
    summary: 'Create relation',
    description:
      'A relation says something; it gives no assignment or authorship. 409 `duplicate_relation` if the same exists; 409 ' +
      '`cycle` if depends_on and blocks (which is the same the other way round), or parent_of, would lead back to where ' +
      'they started within an endeavour; 409 `too_many_dependencies` if a task had more than 500 of these there.\n\n' +
      'These are the memberships and links themselves: has_member from an organization or team to a resource, member_of ' +
      'the other way round, belongs_to and participates_in from a resource to an endeavour, belongs_to from an endeavour ' +
      'to an organization. Creating one does what the operation of that membership does, with its checks and refusals ' +
      'and the role of `metadata.role` (for endeavours also `metadata.stakeholder_roles`). PATCH the member to change the role.',
    status: 201,
    body: CreateRelationDto,
    answer: relationView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed', 'tier_limit', 'velocity_limit'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateRelationDto, { representation })) dto: CreateRelationDto,
  ): Promise<Representation> {
    return this.relations.create(me, dto);
  }

  @Get(':id')
  @Operation('relations_get', { summary: 'Get relation', path: { id: 'relation' }, answer: relationView })
  get(
    @Me() me: Caller,
    @Param('id', bodies.PathId('relation')) id: string,
    @Fields(relationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.relations.get(me, id, fields);
  }

  @Delete(':id')
  @Operation('relations_delete', {
    summary: 'Delete relation',
    description: 'Deleting a relation that is a membership or link ends that, as its own operation does.',
    path: { id: 'relation' },
    answer: DELETED,
    refuses: ['forbidden', 'archived', 'conflict', 'precondition_failed'],
  })
  async remove(@Me() me: Caller, @Param('id', bodies.PathId('relation')) id: string): Promise<Deleted> {
    await this.relations.remove(me, id);
    return { id, deleted: true };
  }
}
