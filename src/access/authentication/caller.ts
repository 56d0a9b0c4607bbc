import type { TierLimits } from '../../common/tiers.js';
import type { Actor } from '../../platform/context/actor.js';

/** The caller as stored in the database at the time of the request. */
export interface Caller extends Actor {
  /** Empty if the request has no session. */
  sessionId: string;
  isAdmin: boolean;
  tier: number;
  /** The limits of the user's tier. */
  limits: TierLimits;
  /** The scopes of the access token of the request. */
  scopes?: readonly string[];
  /** The endeavour or organization that the access token is restricted to. */
  containerId?: string;
  /** The keyed hash of the secret in the access token of the request. */
  secretHash?: string;
  /** Set if the access token gives access only to one calendar: of the endeavour `containerId`, or without one that of the user. */
  isCalendarToken?: true;
  /** Set if a second factor was proved when the session began; for a token, if the session that made it had proved one. */
  hasSecondFactor?: true;
  /** The organization towards which alone the session, or the one that made the token, has proved a second factor. */
  provedTo?: string;
  /** Set if the caller reaches organizations that require a second factor which it has not proved (second-factor.ts). */
  isHeldBack?: true;
  /** The organization that the token reaches no more, because its user has not signed in with the required provider for long. */
  unreachedId?: string;
  /** Set if the user is an administrator whose rights are held back with it. */
  isHeldAdministrator?: true;
  /** For an agent: the person whose rights limit it, unless that person is an administrator. */
  managerId?: string;
}

/** A caller with an access token. */
export type TokenCaller = Caller & { tokenId: string; scopes: readonly string[] };

export const isByToken = (me: Pick<Caller, 'tokenId' | 'scopes'>): me is TokenCaller => typeof me.tokenId === 'string';
