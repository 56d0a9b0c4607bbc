import type { Role } from '../../common/roles.js';
import type { TokenScope } from './token-scope.js';

/**
 * What an access token needs for an operation: one scope or several, `any` scope, or a `session` in its place: no token
 * is accepted, so that a stolen one cannot grant rights or delete containers. An operation that shows or changes the
 * contents of several kinds needs the scopes of all of them: a report shows the tasks of an endeavour, and archiving
 * cancels them. Operations that only have scopes to read change nothing.
 */
export type TokenNeeds = TokenScope | readonly TokenScope[] | 'any' | 'session';

/** Where a role is needed. */
type RoleContainer = 'organization' | 'endeavour' | 'endeavour or organization';

/** Who can call an operation. Further conditions (ownership, state) are rules of the feature. */
export interface Permission {
  access: 'public' | 'authenticated' | 'admin';
  /** What access tokens need; not set for public operations. */
  tokens?: TokenNeeds;
  /** The lowest sufficient role in the container of the entity. */
  role?: Role;
  container?: RoleContainer;
  /** The role for the subjects of others, if `role` is sufficient only for one's own, such as one's own membership. */
  roleForOthers?: Role;
  /**
   * Of the tokens of an agent, only those that its manager created are accepted: the agent counts as one person with its
   * manager, so another admin must neither give evidence nor read and write messages in that person's name.
   */
  isForManagersTokens?: true;
  /** The greatest age in minutes of the proof that the person is there (`StepUp`); not set if none is asked. */
  proofMinutes?: number;
  /** Set if a session may call it without the second factor that is required of it: it shows who it is, or sets one up. */
  withoutSecondFactor?: true;
  /** Further requirements of the operation, as text for the OpenAPI document. */
  note?: string;
  /** Set for permissions without a route, which an operation requires on a second entity. */
  isPart?: true;
}

/** How long a proof that the person is there suffices for changes of credentials, tokens and accounts. */
export const PROOF_MINUTES = 15;

export const publicAccess: Permission = { access: 'public' };
export const administratorsOnly = (tokens: TokenNeeds): Permission => ({ access: 'admin', tokens });
export const signedIn = (tokens: TokenNeeds, note?: string): Permission => ({
  access: 'authenticated',
  tokens,
  ...(note !== undefined && { note }),
});
const roleIn =
  (container: RoleContainer) =>
  (role: Role, tokens: TokenNeeds, note?: string): Permission => ({
    ...signedIn(tokens, note),
    role,
    container,
  });
export const roleInEndeavour = roleIn('endeavour');
export const roleInOrganization = roleIn('organization');
export const roleInContainer = roleIn('endeavour or organization');
/** Accepts of the tokens of an agent only those that its manager created. */
export const forManagersTokens = (permission: Permission): Permission => ({ ...permission, isForManagersTokens: true });
/** Asks for a proof that the person is there, at most that old. */
export const withProof = (permission: Permission, proofMinutes: number = PROOF_MINUTES): Permission => ({
  ...permission,
  proofMinutes,
});
/** Opens the operation to sessions without the second factor that is required of them. */
export const withoutSecondFactor = (permission: Permission): Permission => ({
  ...permission,
  withoutSecondFactor: true,
});
/** Adds the role for the subjects of others. */
export const forOthers = (roleForOthers: Role, permission: Permission): Permission => ({
  ...permission,
  roleForOthers,
});
export const onSecondEntity = (tokens: TokenNeeds, role?: Role): Permission => ({
  access: 'authenticated',
  tokens,
  ...(role !== undefined && { role }),
  isPart: true,
});
