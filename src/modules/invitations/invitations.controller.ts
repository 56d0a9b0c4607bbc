import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { schemaOf, type JsonSchema } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { SecretProperties } from '../../platform/http/marks.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { component, exactly } from '../../platform/http/schemas.js';
import { Delete, Post } from '../../platform/http/routes.js';
import { AcceptInvitationDto, CreateInvitationDto } from './invitation.dto.js';
import { invitationList } from './invitation.list.js';
import { invitationView } from './invitation.view.js';
import { InvitationsService, type FreshInvitation } from './invitations.service.js';
import type { Accepted } from './redemptions.js';

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
  @Operation('invitations_list', { summary: 'List invitations', list: invitationList })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.invitations.list(me, query);
  }

  @Post()
  @SecretProperties(['token'])
  @Operation('invitations_create', {
    summary: 'Invite somebody',
    description:
      'With an e-mail address the token is mailed there and never shown, without one it is shown this once. ' +
      'A role is never above your own, now and when the invitation is accepted.',
    status: 201,
    body: CreateInvitationDto,
    answer: fresh,
    refuses: ['forbidden', 'archived'],
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
    refuses: ['invalid_token'],
  })
  accept(
    @Me() me: Caller,
    @Body(bodies.Create(AcceptInvitationDto)) { token }: AcceptInvitationDto,
  ): Promise<Accepted> {
    return this.invitations.accept(me, token);
  }

  @Delete(':id')
  @Operation('invitations_delete', {
    summary: 'Withdraw an invitation',
    path: { id: 'invitation' },
    answer: exactly({ id: { type: 'string' }, deleted: { type: 'boolean', const: true } }),
    refuses: ['precondition_failed'],
  })
  withdraw(
    @Me() me: Caller,
    @Param('id', bodies.PathId('invitation')) id: string,
  ): Promise<{ id: string; deleted: true }> {
    return this.invitations.withdraw(me, id);
  }
}
