import { Bool, Id, Keyword, Link, ListOf, Name, OneOf, Secret, StringList } from '../../platform/http/bodies/fields.js';
import { PROVIDER_ROLES, type ProviderRole } from './identity-provider.entity.js';

const CLIENT_ID = { max: 500, description: 'What the provider calls this service: its client id.' };
const CLIENT_SECRET = { description: 'The secret of the client, for confidential clients. It cannot be read again.' };
const SCOPES = {
  max: 20,
  each: 100,
  description: 'The scopes to request; openid is required. Defaults to openid, email and profile.',
};
const DOMAINS = {
  max: 50,
  each: 253,
  description:
    'The domains of the addresses that the provider speaks for. Accounts are linked and created only for addresses in ' +
    'them. Of an organization, only those count that it has proved; administrators confirm others by naming them.',
};
const TRUST_EMAIL = {
  description:
    'Whether its addresses count as verified although it does not say so. Only for the provider of one company.',
};
const SECOND_FACTOR = { description: 'Whether it asks for a second factor, so that the service asks for none.' };
const JIT = { description: 'Whether unknown people of its domains get an account at their first sign-in.' };
const ROLE = { description: 'The role of such accounts in the organization; defaults to member.' };
const ENABLED = { description: 'Whether people can sign in with it; defaults to true.' };

const GROUPS_CLAIM = { description: 'The claim that lists the groups of a person, such as groups.', example: 'groups' };
const GROUP_ROLES = {
  max: 100,
  description:
    'The roles that groups give in the organization. They are given and taken at each sign-in with a list of groups; a role ' +
    'that an admin assigned stays.',
};
const REQUIRED = {
  description:
    'Whether members with an address in its domains can sign in with it only. Owners keep a passkey, or a password with a ' +
    'second factor; one of them needs it (409 `no_way_in`).',
};

export class GroupRoleDto {
  @Keyword({
    required: true,
    max: 500,
    example: 'worksmith-admins',
    description: 'The group, as the provider tells it.',
  })
  group: string;

  @OneOf(PROVIDER_ROLES, { required: true, description: 'The role; never owner.' })
  role: ProviderRole;
}

export class CreateIdentityProviderDto {
  @Name({ required: true, example: 'Example directory' })
  name: string;

  @Link({
    required: true,
    example: 'https://login.example.com/realms/main',
    description: 'The address that identifies the provider: /.well-known/openid-configuration is below it. https.',
  })
  issuer: string;

  @Keyword({ ...CLIENT_ID, required: true, example: 'worksmith' })
  client_id: string;

  @Secret(CLIENT_SECRET)
  client_secret?: string;

  @Id('organization', {
    description: 'The organization that the provider belongs to; without one, only administrators can create it.',
    isUsual: true,
  })
  organization_id?: string;

  @StringList(SCOPES)
  scopes?: string[];

  @StringList(DOMAINS)
  domains?: string[];

  @Bool(TRUST_EMAIL)
  trust_email?: boolean;

  @Bool(SECOND_FACTOR)
  proves_second_factor?: boolean;

  @Bool(JIT)
  jit?: boolean;

  @OneOf(PROVIDER_ROLES, ROLE)
  role?: ProviderRole;

  @Keyword({ ...GROUPS_CLAIM, max: 200 })
  groups_claim?: string;

  @ListOf(GroupRoleDto, GROUP_ROLES)
  group_roles?: GroupRoleDto[];

  @Bool({ ...REQUIRED, nullable: false })
  required?: boolean;

  @Bool({ ...ENABLED, nullable: false })
  is_enabled?: boolean;
}

export class UpdateIdentityProviderDto {
  @Name({ nullable: false })
  name?: string;

  @Keyword({ ...CLIENT_ID, nullable: false })
  client_id?: string;

  @Secret(CLIENT_SECRET)
  client_secret?: string | null;

  @StringList(SCOPES)
  scopes?: string[] | null;

  @StringList(DOMAINS)
  domains?: string[] | null;

  @Bool({ ...TRUST_EMAIL, nullable: false })
  trust_email?: boolean;

  @Bool({ ...SECOND_FACTOR, nullable: false })
  proves_second_factor?: boolean;

  @Bool({ ...JIT, nullable: false })
  jit?: boolean;

  @OneOf(PROVIDER_ROLES, { ...ROLE, nullable: false })
  role?: ProviderRole;

  @Keyword({ ...GROUPS_CLAIM, max: 200 })
  groups_claim?: string | null;

  @ListOf(GroupRoleDto, GROUP_ROLES)
  group_roles?: GroupRoleDto[] | null;

  @Bool({ ...REQUIRED, nullable: false })
  required?: boolean;

  @Bool({ ...ENABLED, nullable: false })
  is_enabled?: boolean;
}
