import type { Role } from '../../common/roles.js';

/** Who can call an operation. Further conditions (ownership, state) are rules of the feature. */
export interface Permission {
  access: 'public' | 'authenticated' | 'admin';
  /** The lowest sufficient role in the endeavour or organization of the entity. */
  role?: Role;
  /** The role for the subjects of others, if `role` is sufficient only for one's own, such as one's own membership. */
  roleForOthers?: Role;
  /** Further requirements of the operation, as text for the OpenAPI document. */
  note?: string;
  /** Set for permissions without a route, which an operation requires on a second entity. */
  isPart?: true;
}

export const publicAccess: Permission = { access: 'public' };
export const administratorsOnly: Permission = { access: 'admin' };
export const signedIn = (note?: string): Permission => ({
  access: 'authenticated',
  ...(note !== undefined && { note }),
});
export const needsRole = (role: Role, note?: string): Permission => ({
  access: 'authenticated',
  role,
  ...(note !== undefined && { note }),
});
/** Adds the role for the subjects of others. */
export const forOthers = (roleForOthers: Role, permission: Permission): Permission => ({
  ...permission,
  roleForOthers,
});
export const onSecondEntity = (role?: Role): Permission => ({
  access: 'authenticated',
  ...(role !== undefined && { role }),
  isPart: true,
});
