import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { schemaOf, type FieldNames, type JsonSchema, type Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { ITEM_REFUSALS } from '../../platform/http/responses/refused-items.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import {
  AcceptInvitationDto,
  AcceptOwnInvitationDto,
  CreateInvitationDto,
  CreateInvitationsDto,
  UpdateInvitationDto,
} from './invitation.dto.js';
import { invitationList } from './invitation.list.js';
import { invitationView } from './invitation.view.js';
import { InvitationCreationService, type FreshInvitation } from './invitation-creation.service.js';
import { InvitationsService } from './invitations.service.js';
import type { Accepted } from './invitation-acceptance.service.js';

const Id = () => Param('id', bodies.PathId('invitation'));
const representation = Object.keys(invitationView.fields);
const { organization_id, role, endeavour_id, endeavour_role } = invitationView.fields;

const fresh = component(
  'FreshInvitation',
  exactly({
    ...(schemaOf(invitationView).properties as Record<string, JsonSchema>),
    token: { type: ['string', 'null'], description: 'Returned only once; null if the token is sent by mail.' },
  }),
);

const accepted = exactly({
  organization_id: organization_id.schema,
  role: role.schema,
  endeavour_id: endeavour_id.schema,
  endeavour_role: endeavour_role.schema,
});

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('invitations')
export class InvitationsController {
  constructor(
    private readonly creation: InvitationCreationService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get()
  @Operation('invitations_list', {
    summary: 'List invitations',
    description:
      'Returns the invitations to organizations and endeavours where you can invite. With `mine=true`, returns ' +
      'your own open invitations, matched by user id or verified e-mail address, which you can accept or refuse.',
    list: invitationList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.invitations.list(me, query);
  }

  @TransactionalPost()
  @SecretProperties(['token'])
  @Operation('invitations_create', {
    summary: 'Create invitation',
    description:
      'With email or user_id, the token is sent by mail and never returned; without either, it is returned ' +
      'once. You cannot grant a role above your own; this is checked again on acceptance. With `kind` `link`, you offer ' +
      'a link of an endeavour, which belongs to an organization that you own, to an organization of the invited person, ' +
      'who names it on acceptance. If the same address ' +
      'or user already has an open invitation of that kind to the same organization or endeavour, the response is 409 ' +
      '`already_invited`.',
    status: 201,
    body: CreateInvitationDto,
    response: fresh,
    refuses: ['forbidden', 'conflict', 'archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateInvitationDto, { representation })) dto: CreateInvitationDto,
  ): Promise<FreshInvitation> {
    return this.creation.create(me, dto);
  }

  @TransactionalPost('bulk')
  @SecretProperties(['token'])
  @Operation('invitations_bulk', {
    summary: 'Create many invitations',
    description:
      'Creates up to 100 invitations in one transaction, all or none, with the checks, events and mails of ' +
      '`POST /invitations`; each counts against the limits. If some are refused, the response is the error of the first ' +
      'of them, and `details.refused` names each. The response has the order of the request.',
    status: 201,
    createdIn: null,
    body: CreateInvitationsDto,
    response: { type: 'array', items: fresh },
    refuses: ITEM_REFUSALS,
  })
  createAll(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateInvitationsDto)) dto: CreateInvitationsDto,
  ): Promise<FreshInvitation[]> {
    return this.creation.createAll(me, dto);
  }

  @TransactionalPost('accept')
  @Operation('invitations_accept', {
    summary: 'Accept invitation by token',
    description:
      'Returns the resulting roles. If you already have a higher role, you keep it. An invitation of the kind `link` links ' +
      'the endeavour to the organization `organization_id`.',
    body: AcceptInvitationDto,
    response: accepted,
    refuses: ['invalid_token', 'forbidden', 'archived', 'tier_limit'],
  })
  accept(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(AcceptInvitationDto)) dto: AcceptInvitationDto,
  ): Promise<Accepted> {
    return this.invitations.accept(me, dto);
  }

  @Get(':id')
  @Operation('invitations_get', {
    summary: 'Get invitation',
    description: 'Returns the invitation.',
    path: { id: 'invitation' },
    resource: invitationView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(invitationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.invitations.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('invitations_update', {
    summary: 'Update invitation',
    description: 'Changes the expiry and the number of uses (JSON merge patch). An expired invitation can be reopened.',
    path: { id: 'invitation' },
    body: UpdateInvitationDto,
    response: invitationView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateInvitationDto, { representation })) dto: UpdateInvitationDto,
  ): Promise<Representation> {
    return this.invitations.update(me, id, dto);
  }

  @TransactionalPost(':id/accept')
  @Operation('invitations_accept_own', {
    summary: 'Accept own invitation',
    description:
      'Accepts an invitation for your user id or verified e-mail address without its token. An invitation of the kind ' +
      '`link` links the endeavour to the organization `organization_id`.',
    path: { id: 'invitation' },
    body: AcceptOwnInvitationDto,
    bodyOptional: true,
    response: accepted,
    refuses: ['invalid_token', 'forbidden', 'archived', 'tier_limit'],
  })
  acceptOwn(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AcceptOwnInvitationDto)) dto: AcceptOwnInvitationDto,
  ): Promise<Accepted> {
    return this.invitations.acceptOwn(me, id, dto);
  }

  @TransactionalPost(':id/refuse')
  @Operation('invitations_refuse', {
    summary: 'Refuse own invitation',
    description: 'For 30 days, the same organization or endeavour cannot invite you again.',
    path: { id: 'invitation' },
    response: exactly({ status: { type: 'string', const: 'refused' } }),
    refuses: ['invalid_input', 'invalid_token'],
  })
  refuse(@CurrentCaller() me: Caller, @Id() id: string): Promise<{ status: 'refused' }> {
    return this.invitations.refuse(me, id);
  }

  @TransactionalDelete(':id')
  @Operation('invitations_delete', {
    summary: 'Withdraw invitation',
    description: 'Deletes the invitation. Its token can no longer be used.',
    path: { id: 'invitation' },
    response: exactly({ id: { type: 'string' }, deleted: { type: 'boolean', const: true } }),
    refuses: ['precondition_failed'],
  })
  withdraw(@CurrentCaller() me: Caller, @Id() id: string): Promise<{ id: string; deleted: true }> {
    return this.invitations.withdraw(me, id);
  }
}
