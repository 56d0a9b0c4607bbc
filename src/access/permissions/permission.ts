import type { Role } from '../../common/roles.js';

/** Who can call an operation. Further conditions (ownership, state) are rules of the feature. */
export interface Permission {
  access: 'public' | 'authenticated' | 'admin';
  /** The lowest sufficient role in the endeavour or organization of the entity. */
  role?: Role;
  /** What else the operation requires, in sentences for the OpenAPI document. */
  note?: string;
  /** No route of its own: what operations need of a second entity that they touch. */
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
export const onSecondEntity = (role?: Role): Permission => ({
  access: 'authenticated',
  ...(role !== undefined && { role }),
  isPart: true,
});
