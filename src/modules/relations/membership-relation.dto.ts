import { StakeholderRoles } from '../../access/permissions/stakeholder-roles.js';
import { invalidInput, type FieldError } from '../../common/errors.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { OneOf, Keyword } from '../../platform/http/bodies/fields.js';
import { BodyReader } from '../../platform/http/bodies/fields/body-reader.js';
import type { DtoClass } from '../../platform/http/bodies/fields/field.js';
import { areBodyFieldsIgnored } from '../../platform/context/unknown-fields.js';

class OrganizationMembership {
  @OneOf(ORGANIZATION_ROLES)
  role?: OrganizationRole;
}

class TeamMembership {
  @Keyword()
  role?: string;
}

class EndeavourMembership {
  @OneOf(ENDEAVOUR_ROLES)
  role?: EndeavourRole;

  @StakeholderRoles()
  stakeholder_roles?: string[];
}

class EndeavourLink {}

/** Reads the metadata of a membership relation, which can only contain the role. */
function reader<T extends object>(dto: DtoClass<T>): (metadata: Record<string, unknown> | undefined) => T {
  const body = new BodyReader(dto, 'create');
  return (metadata = {}) => {
    const errors: FieldError[] = [];
    const read = body.read(metadata, 'metadata.', errors, areBodyFieldsIgnored());
    if (errors.length > 0) throw invalidInput(errors);
    return read;
  };
}

export const readMembership = {
  organization: reader(OrganizationMembership),
  team: reader(TeamMembership),
  endeavour: reader(EndeavourMembership),
  link: reader(EndeavourLink),
};
