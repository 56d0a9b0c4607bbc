import { StakeholderRoles } from '../../access/permissions/stakeholder-roles.js';
import { ENDEAVOUR_ROLES, type EndeavourRole } from '../../common/roles.js';
import {
  Email,
  Bool,
  Id,
  JsonObject,
  Language,
  Name,
  OneOf,
  Password,
  Int,
  Keyword,
  TimeZone,
} from '../../platform/http/bodies/fields.js';
import { OwnFields } from './own-fields.js';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from './user.entity.js';

export class CreateUserDto {
  @Name({ required: true, example: 'Ann Archer' })
  name: string;

  @Email({ required: true, example: 'ann@example.com' })
  email: string;

  @Password({ description: 'If omitted, the user receives a mail with a code to set one.' })
  password?: string;

  @OneOf(USER_TYPES)
  user_type?: UserType;

  @Language()
  lang?: string;

  @TimeZone()
  timezone?: string;

  @OneOf(USER_STATUSES)
  status?: UserStatus;

  @Int({ min: 1, max: 3, description: '1 explorer, 2 professional, 3 enterprise.' })
  tier?: number;

  @Bool()
  is_admin?: boolean;

  @Keyword({ max: 500, description: 'The id of the user in another system.' })
  external_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateUserDto extends OwnFields {
  @Email({ nullable: false })
  email?: string;

  @OneOf(USER_TYPES, { nullable: false })
  user_type?: UserType;

  @OneOf(USER_STATUSES, { nullable: false })
  status?: UserStatus;

  @Int({ min: 1, max: 3, nullable: false })
  tier?: number;

  @Bool({ nullable: false })
  is_admin?: boolean;

  @Keyword({ max: 500 })
  external_id?: string | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

export class AddUserToEndeavourDto {
  @Id('endeavour', { required: true })
  endeavour_id: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'Defaults to member, or to the current role of an existing member.' })
  role?: EndeavourRole;

  @StakeholderRoles()
  stakeholder_roles?: string[];
}
