/** A resource that cannot be assigned to work of an endeavour. */
export interface AssigneeCandidate {
  user_id: string | null;
  status: string;
  /** The status of the user whom the resource represents; null if it represents no user. */
  user_status: string | null;
  /** The rank of the user in the endeavour, from 1 (viewer) to 4 (owner); 0 without a role. */
  rank: number;
}

/**
 * Why the resource cannot be assigned and which operation resolves it; a sentence without its subject, the field name.
 */
export function reasonNotAssignable({ user_id, status, user_status, rank }: AssigneeCandidate): string {
  if (status !== 'active') return 'refers to an inactive resource. Activate it with PATCH /resources/{id}.';
  if (user_id === null) {
    return (
      "refers to a resource that is in none of the endeavour's organizations. Add it with POST " +
      '/organizations/{id}/resources.'
    );
  }
  if (user_status !== 'active') return `refers to a user who is ${user_status}. An administrator can change that.`;
  if (rank === 0) {
    return (
      'refers to a person who is not a member of the endeavour. Add the person with POST ' +
      '/endeavours/{id}/members or POST /invitations.'
    );
  }
  return 'refers to a viewer of the endeavour. Grant the member role with PATCH /endeavours/{id}/members/{user_id}.';
}
