import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { schemaOf, type FieldNames, type JsonSchema, type Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { Fields } from '../../platform/http/selected-fields.js';
import { SecretProperties } from '../../platform/http/marks.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { component, exactly } from '../../platform/http/schemas.js';
import { Delete, Patch, Post } from '../../platform/http/routes.js';
import { AcceptInvitationDto, CreateInvitationDto, UpdateInvitationDto } from './invitation.dto.js';
import { invitationList } from './invitation.list.js';
import { invitationView } from './invitation.view.js';
import { InvitationsService, type FreshInvitation } from './invitations.service.js';
import type { Accepted } from './invitation-acceptance.service.js';

const Id = () => Param('id', bodies.PathId('invitation'));
const representation = Object.keys(invitationView.fields);
const { organization_id, role, endeavour_id, endeavour_role } = invitationView.fields;

const fresh = component(
  'FreshInvitation',
  exactly({
    ...(schemaOf(invitationView).properties as Record<string, JsonSchema>),
    token: { type: ['string', 'null'], description: 'Shown this once; null where it is mailed.' },
  }),
);

const accepted = exactly({
  organization_id: organization_id.schema,
  role: role.schema,
  endeavour_id: endeavour_id.schema,
  endeavour_role: endeavour_role.schema,
});

@ApiTags('Auth')
@Controller('invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Operation('invitations_list', {
    summary: 'List invitations',
    description:
      'Those to places where you may invite. With `mine=true` the open ones for you, by your verified address or id, ' +
      'which you can accept or refuse.',
    list: invitationList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.invitations.list(me, query);
  }

  @Post()
  @SecretProperties(['token'])
  @Operation('invitations_create', {
    summary: 'Invite somebody',
    description:
      'With email or user_id the token is mailed there and never shown, without either it is shown this once. ' +
      'A role is never above your own, now and when the invitation is accepted. A second open invitation of the same ' +
      'address or user to the same place is a conflict with the reason `already_invited`.',
    status: 201,
    body: CreateInvitationDto,
    answer: fresh,
    refuses: ['forbidden', 'conflict', 'archived'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateInvitationDto, { representation })) dto: CreateInvitationDto,
  ): Promise<FreshInvitation> {
    return this.invitations.create(me, dto);
  }

  @Post('accept')
  @Operation('invitations_accept', {
    summary: 'Accept an invitation',
    description: 'Answers with the roles as they are now; a higher one that you have already stays.',
    body: AcceptInvitationDto,
    answer: accepted,
    refuses: ['invalid_token', 'tier_limit'],
  })
  accept(
    @Me() me: Caller,
    @Body(bodies.Create(AcceptInvitationDto)) { token }: AcceptInvitationDto,
  ): Promise<Accepted> {
    return this.invitations.accept(me, token);
  }

  @Get(':id')
  @Operation('invitations_get', {
    summary: 'Get an invitation',
    description: 'For those who may invite to its place, and for the person invited.',
    path: { id: 'invitation' },
    answer: invitationView,
  })
  get(@Me() me: Caller, @Id() id: string, @Fields(invitationView) fields?: FieldNames): Promise<Representation> {
    return this.invitations.get(me, id, fields);
  }

  @Patch(':id')
  @Operation('invitations_update', {
    summary: 'Update an invitation',
    description: 'A merge patch of when it expires and how often it can be used; an expired one can be opened again.',
    path: { id: 'invitation' },
    body: UpdateInvitationDto,
    answer: invitationView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(UpdateInvitationDto, { representation })) dto: UpdateInvitationDto,
  ): Promise<Representation> {
    return this.invitations.update(me, id, dto);
  }

  @Post(':id/accept')
  @Operation('invitations_accept_own', {
    summary: 'Accept an invitation of your own',
    description: 'Without the token: one for your verified address, or for you by id.',
    path: { id: 'invitation' },
    answer: accepted,
    refuses: ['invalid_input', 'invalid_token', 'tier_limit'],
  })
  acceptOwn(@Me() me: Caller, @Id() id: string): Promise<Accepted> {
    return this.invitations.acceptOwn(me, id);
  }

  @Post(':id/refuse')
  @Operation('invitations_refuse', {
    summary: 'Refuse an invitation of your own',
    description: 'For 30 days no invitation from the same place reaches you.',
    path: { id: 'invitation' },
    answer: exactly({ status: { type: 'string', const: 'refused' } }),
    refuses: ['invalid_input', 'invalid_token'],
  })
  refuse(@Me() me: Caller, @Id() id: string): Promise<{ status: 'refused' }> {
    return this.invitations.refuse(me, id);
  }

  @Delete(':id')
  @Operation('invitations_delete', {
    summary: 'Withdraw an invitation',
    path: { id: 'invitation' },
    answer: exactly({ id: { type: 'string' }, deleted: { type: 'boolean', const: true } }),
    refuses: ['precondition_failed'],
  })
  withdraw(@Me() me: Caller, @Id() id: string): Promise<{ id: string; deleted: true }> {
    return this.invitations.withdraw(me, id);
  }
}
