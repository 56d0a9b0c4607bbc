/** Who makes a change. */
export interface Actor {
  userId: string;
  resourceId: string;
  name: string;
  /** The access token with which they act, if any. */
  tokenId?: string | null;
  /** The session in which they act, if any. */
  sessionId?: string;
}

/** Where a thing lies: in an endeavour, else in an organization, else with one user, or open to everyone signed in. */
export interface Place {
  endeavourId?: string | null;
  organizationId?: string | null;
  ownerUserId?: string | null;
  isGlobal?: boolean;
}
