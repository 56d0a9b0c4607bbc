import { ALL, type Confinement } from '../../platform/database/transactions/confinement.js';
import type { Caller, TokenCaller } from './caller.js';

/** A caller, and for an agent the manager whose rights limit it; null if the manager is an administrator. */
export interface BoundedCaller {
  caller: Caller;
  managerId?: string | null;
  /** The creator of an agent's token, if the rights of that person limit it too. */
  makerId?: string | null;
}

/** The caller with an access token, and the networks from which the token is accepted; all networks if empty. */
export interface TokenHolder extends BoundedCaller {
  caller: TokenCaller;
  allowedNetworks: readonly string[];
}

/**
 * Returns the restrictions that a token, an agent's manager or a second factor that was not proved puts on the rights of the
 * user, if any.
 */
export function boundsOf({
  caller: { userId, containerId, isHeldBack, provedTo = ALL, unreachedId },
  managerId,
  makerId,
}: BoundedCaller): Confinement | undefined {
  const isWhole = isHeldBack !== true && unreachedId === undefined;
  if (containerId === undefined && !managerId && !makerId && isWhole) return undefined;
  const withheld = { ...(isHeldBack === true && { withheldBut: provedTo }), ...(unreachedId && { unreachedId }) };
  return { userId, containerId, managerId, makerId, ...withheld };
}
