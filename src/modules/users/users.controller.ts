import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { ENDEAVOUR_ROLES } from '../../common/roles.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { EndeavourGrantsService, type EndeavourRoleGrant } from './endeavour-grants.service.js';
import { AddUserToEndeavourDto, CreateUserDto, UpdateUserDto } from './user.dto.js';
import { userDetailView } from './user-detail.view.js';
import { userList } from './user.list.js';
import { userView } from './user.view.js';
import { UsersService } from './users.service.js';

const representation = Object.keys(userDetailView.fields);
const Id = () => Param('id', bodies.PathId('user'));

const endeavourRole = exactly({
  user_id: { type: 'string' },
  endeavour_id: { type: 'string' },
  role: { type: 'string', enum: [...ENDEAVOUR_ROLES] },
  stakeholder_roles: { type: 'array', items: { type: 'string' } },
});

@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly grants: EndeavourGrantsService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @Operation('users_list', { summary: 'List users (admin)', list: userList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.users.list(me, query);
  }

  @TransactionalPost()
  @Operation('users_create', {
    summary: 'Create user (admin)',
    description:
      'Creates the user and the resource that represents the user. Without a password, the user receives a mail ' +
      'with a code to set one.',
    status: 201,
    body: CreateUserDto,
    response: userView,
    refuses: ['conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateUserDto, { representation })) dto: CreateUserDto,
  ): Promise<Representation> {
    return this.users.create(me, dto);
  }

  @Get(':id')
  @Operation('users_get', {
    summary: 'Get user',
    description:
      'People who only share an organization or endeavour with the user see id, name, user_type, status and ' +
      'resource_id; all other properties are null for them.',
    path: { id: 'user' },
    resource: userDetailView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(userDetailView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.users.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('users_update', {
    summary: 'Update user',
    description:
      'JSON merge patch. Suspending or deactivating a user ends all sessions of the user. Renaming a user also ' +
      "renames the user's resource.",
    path: { id: 'user' },
    body: UpdateUserDto,
    response: userView,
    refuses: ['forbidden', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateUserDto, { representation })) dto: UpdateUserDto,
  ): Promise<Representation> {
    return this.users.update(me, id, dto);
  }

  @TransactionalPost(':id/endeavours')
  @Operation('users_endeavours_add', {
    summary: 'Add user to endeavour',
    description:
      'You can add members of the home organization of the endeavour or, if it has no home organization, ' +
      'members of an organization where you have the admin role. For other people, the response is 403 with the ' +
      'reason `invitation_required`; invite them instead. If the person is already a member, the role is updated.',
    path: { id: 'user' },
    body: AddUserToEndeavourDto,
    response: endeavourRole,
    refuses: ['forbidden', 'conflict', 'archived'],
  })
  addToEndeavour(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(AddUserToEndeavourDto)) dto: AddUserToEndeavourDto,
  ): Promise<EndeavourRoleGrant> {
    return this.grants.grant(me, id, dto);
  }
}
