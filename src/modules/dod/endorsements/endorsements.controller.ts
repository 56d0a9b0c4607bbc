import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { ITEM_REFUSALS } from '../../../platform/http/responses/refused-items.js';
import { exactly, viewSchema } from '../../../platform/http/openapi/schemas.js';
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { CreateEndorsementDto, CreateEndorsementsDto } from './endorsement.dto.js';
import { endorsementList } from './endorsement.list.js';
import { endorsementView } from './endorsement.view.js';
import { EndorsementsService, type CreatedEndorsement } from './endorsements.service.js';

const representation = Object.keys(endorsementView.fields);
const Id = () => Param('id', bodies.PathId('dod_endorsement'));

@ApiTags('Dod')
@Controller('dod-endorsements')
export class EndorsementsController {
  constructor(private readonly endorsements: EndorsementsService) {}

  @Get()
  @Operation('dod_endorsements_list', { summary: 'List endorsements', list: endorsementList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.endorsements.list(me, query);
  }

  @TransactionalPost()
  @Operation('dod_endorsements_create', {
    summary: 'Create endorsement',
    description:
      'Records that you accept the policy version that is assigned to the endeavour. You need it to complete tasks there.',
    status: 201,
    body: CreateEndorsementDto,
    response: endorsementView,
    refuses: ['conflict', 'archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateEndorsementDto, { representation })) dto: CreateEndorsementDto,
  ): Promise<Representation> {
    return this.endorsements.endorse(me, dto);
  }

  @TransactionalPost('bulk')
  @Operation('dod_endorsements_bulk', {
    summary: 'Create many endorsements',
    description:
      'Endorses the policies of up to 50 endeavours in one transaction, all or none, with the checks and events of ' +
      '`POST /dod-endorsements`. If some are refused, the response is the error of the first of them, and ' +
      '`details.refused` names each. The response has the order of the request.',
    status: 201,
    createdIn: null,
    body: CreateEndorsementsDto,
    response: { type: 'array', items: viewSchema(endorsementView) },
    refuses: ITEM_REFUSALS,
  })
  createAll(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateEndorsementsDto)) dto: CreateEndorsementsDto,
  ): Promise<CreatedEndorsement[]> {
    return this.endorsements.endorseAll(me, dto);
  }

  @Get(':id')
  @Operation('dod_endorsements_get', {
    summary: 'Get endorsement',
    path: { id: 'dod_endorsement' },
    resource: endorsementView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(endorsementView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.endorsements.get(me, id, fields);
  }

  @TransactionalDelete(':id')
  @Operation('dod_endorsements_delete', {
    summary: 'Withdraw your endorsement',
    description: 'The endorsement stays in lists with the status withdrawn.',
    path: { id: 'dod_endorsement' },
    response: exactly({ id: { type: 'string' }, deleted: { type: 'boolean' } }),
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  withdraw(@CurrentCaller() me: Caller, @Id() id: string): Promise<{ id: string; deleted: true }> {
    return this.endorsements.withdraw(me, id);
  }
}
