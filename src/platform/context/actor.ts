/** The author of a change. */
export interface Actor {
  /** Empty for the directory of an organization. */
  userId: string;
  /** Empty for the directory of an organization. */
  resourceId: string;
  name: string;
  /** The access token of the request, if any. */
  tokenId?: string | null;
  /** The session of the request, if any. */
  sessionId?: string;
  /**
   * Set if an admin who is not the agent's manager created the access token of the request: it gives no evidence and
   * casts no votes in the name of the agent, which counts as one person with its manager.
   */
  isByOtherAdmin?: true;
  /** Set for the directory of an organization, which acts with a provisioning token and is no person. */
  isDirectory?: true;
}

/** The resource of the person who acts, as columns store it; null if no person does. */
export const actingPerson = (actor: Pick<Actor, 'resourceId'> | null | undefined): string | null =>
  actor?.resourceId || null;

/** The container of an entity: an endeavour, else an organization, else one user, or every signed-in user. */
export interface ResourceScope {
  endeavourId?: string | null;
  organizationId?: string | null;
  ownerUserId?: string | null;
  isGlobal?: boolean;
}
