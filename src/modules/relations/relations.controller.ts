import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { DELETED, type Deleted } from '../../platform/http/schemas.js';
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
  @Operation('relations_list', { summary: 'List relations', list: relationList })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.relations.list(me, query);
  }

  @Post()
  @Operation('relations_create', {
    summary: 'Create relation',
    description:
      'A relation says something; it gives nobody a membership, an assignment or authorship. 409 `duplicate_relation` ' +
      'where there is the same already; 409 `cycle` where depends_on and blocks (which is the same the other way ' +
      'round), or parent_of, would lead back to where they started.',
    status: 201,
    body: CreateRelationDto,
    answer: relationView,
    refuses: ['forbidden', 'conflict', 'archived', 'velocity_limit'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateRelationDto, { representation })) dto: CreateRelationDto,
  ): Promise<Representation> {
    return this.relations.create(me, dto);
  }

  @Delete(':id')
  @Operation('relations_delete', {
    summary: 'Delete relation',
    path: { id: 'relation' },
    answer: DELETED,
    refuses: ['forbidden', 'archived'],
  })
  async remove(@Me() me: Caller, @Param('id', bodies.PathId('relation')) id: string): Promise<Deleted> {
    await this.relations.remove(me, id);
    return { id, deleted: true };
  }
}
