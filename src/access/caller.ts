import type { TierLimits } from '../common/tiers.js';
import type { Actor } from '../platform/changes/actor.js';

/** Who is asking, as the database knows it at this request. */
export interface Caller extends Actor {
  /** Empty where it is no session that asks. */
  sessionId: string;
  isAdmin: boolean;
  tier: number;
  /** What the tier allows. */
  limits: TierLimits;
  /** What the access token that asks was made for. */
  scopes?: readonly string[];
  /** The endeavour or organization that the access token is restricted to. */
  containerId?: string;
  /** Of an agent: whose rights bound it, unless they are an administrator's. */
  managerId?: string;
}

/** A caller that asks by an access token. */
export type TokenCaller = Caller & { tokenId: string; scopes: readonly string[] };

export const isByToken = (me: Pick<Caller, 'tokenId' | 'scopes'>): me is TokenCaller => typeof me.tokenId === 'string';
