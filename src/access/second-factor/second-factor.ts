import { ApiError } from '../../common/errors.js';
import type { SecondFactorPolicy } from '../../common/proofs.js';
import type { Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';

/**
 * An organization can require a second factor, and so can the installation. A session fulfils it by how it began: with a
 * passkey, with a password and a code, or at a provider that asks for one, which for the provider of an organization counts
 * only towards that organization. An access token has what the session that made it had.
 */

/** What a session or token has proved, as columns of a caller. */
export interface ProvedFactor {
  hasSecondFactor: boolean;
  provedTo: string | null;
  /** Whether an organization may require a second factor (see `Tier`). */
  mayAskSecondFactor: boolean;
  /** Whether an organization may require its provider; asked for tokens alone. */
  mayAskProvider?: boolean;
}

/** What organizations withhold from a caller. */
export interface WithheldRow {
  isHeldBack: boolean;
  /** The organization that a token reaches no more, because its user has not signed in with the required provider for long. */
  unreachedId: string | null;
}

/** SQL: whether the session `s` proved a second factor by how it began. */
export const SESSION_PROVES = `(s.has_second_factor OR s.method IN ('passkey', 'password+totp'))`;

const columns = (isProved: string, provedTo: string): string =>
  `${isProved} AS "hasSecondFactor", ${provedTo} AS "provedTo", t.may_ask_second_factor AS "mayAskSecondFactor"`;

/** The columns of {@link ProvedFactor} for the session `s` of a user with the tier `t`. */
export const FACTOR_OF_SESSION = columns(SESSION_PROVES, 's.proved_to');

/** The same if `s` can be missing, because nothing has to be proved without a session. */
export const FACTOR_OF_ANY_SESSION = columns(`(s.id IS NULL OR ${SESSION_PROVES})`, 's.proved_to');

/** The same with what was proved when background work was written down: `$2` and `$3`. */
export const FACTOR_AS_PROVED = columns('$2::boolean', '$3::text');

/** The same for the access token `a`. */
export const FACTOR_OF_TOKEN = `${columns('a.has_second_factor', 'a.proved_to')}, t.may_ask_provider AS "mayAskProvider"`;

/** Whether organizations may withhold something from a caller that has proved this, which only a statement can tell. */
export const mayBeWithheld = ({ hasSecondFactor, mayAskSecondFactor, mayAskProvider }: ProvedFactor): boolean =>
  (mayAskSecondFactor && !hasSecondFactor) || mayAskProvider === true;

/**
 * A statement for the {@link WithheldRow} of the user `$1`. `$2`: whether to ask for a second factor, which is proved towards
 * the organization `$3` alone; `$4`: whether to ask for the required provider.
 */
export const WITHHELD = `SELECT $2::boolean AND reaches_second_factor($1, $3) AS "isHeldBack",
  CASE WHEN $4::boolean THEN organization_left_alone($1) END AS "unreachedId"`;

/** The properties of a caller that follow from what was proved. */
export const factorOf = ({
  hasSecondFactor,
  provedTo,
  isHeldBack,
  unreachedId,
}: Pick<ProvedFactor, 'hasSecondFactor' | 'provedTo'> & Partial<WithheldRow>): Partial<Caller> => ({
  ...(hasSecondFactor && { hasSecondFactor }),
  ...(provedTo !== null && { provedTo }),
  ...(isHeldBack === true && { isHeldBack }),
  ...(unreachedId && { unreachedId }),
});

/** Whether the operation is open to a session that has not proved the second factor which it should. */
const isExempt = (operation: OperationId | undefined): boolean =>
  operation !== undefined && permissionOf(operation).withoutSecondFactor === true;

/** Whether organizations are withheld from the caller in the operation. */
export const isHeldBackIn = (me: Caller, operation: OperationId | undefined): boolean =>
  (me.isHeldBack === true || me.unreachedId !== undefined) && !isExempt(operation);

/**
 * The caller with the rights that it has in the operation. The rights of an administrator reach every organization, so that a
 * held back caller has them only in operations that are reserved for administrators, which concern the installation.
 */
export function withHeldRights(me: Caller, operation?: OperationId): Caller {
  const isAdministrator = me.isAdmin || me.isHeldAdministrator === true;
  if (!isAdministrator || me.isHeldBack !== true) return me;
  const { isHeldAdministrator: _held, ...own } = me;
  const keepsRights = isExempt(operation) || (operation !== undefined && permissionOf(operation).access === 'admin');
  return keepsRights ? { ...own, isAdmin: true } : { ...own, isAdmin: false, isHeldAdministrator: true };
}

export const secondFactorRequired = (by: 'the installation' | 'the organization'): ApiError =>
  new ApiError(
    'forbidden',
    `A second factor is required by ${by}: set one up if you have none, and sign in with it. An access token has to be ` +
      'made in such a session.',
    { required: 'a sign-in with a second factor or a passkey', reason: 'second_factor_required' },
  );

export const signInRequired = (): ApiError =>
  new ApiError(
    'forbidden',
    'The organization asks its members to sign in with its provider, and an access token reaches it only for 30 days after that.',
    { required: 'a sign-in with the provider of the organization', reason: 'sso_required' },
  );

/** 403 `second_factor_required` if the installation requires a second factor of the caller, who has proved none. */
export function assertSecondFactor(policy: SecondFactorPolicy, operation: OperationId, me: Caller): void {
  if (policy === 'optional' || me.hasSecondFactor === true || isExempt(operation)) return;
  if (policy === 'everyone' || me.isAdmin || me.isHeldAdministrator === true)
    throw secondFactorRequired('the installation');
}
