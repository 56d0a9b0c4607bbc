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

/** The container of an entity: an endeavour, else an organization, else one user, or everyone signed in. */
export interface ResourceScope {
  endeavourId?: string | null;
  organizationId?: string | null;
  ownerUserId?: string | null;
  isGlobal?: boolean;
}
