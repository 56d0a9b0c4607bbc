/** A resource that cannot be given work of an endeavour. */
export interface Candidate {
  user_id: string | null;
  status: string;
  /** Of the user behind it, if any. */
  user_status: string | null;
  /** 1 (viewer) to 4 (owner) in the endeavour; 0 without a role. */
  rank: number;
}

/** What is missing, and which operation helps: goes on after the name of the field. */
export function missingFor({ user_id, status, user_status, rank }: Candidate): string {
  if (status !== 'active') return 'names an inactive resource: PATCH /resources/{id} with status active.';
  if (user_id === null) {
    return 'names a resource of no organization of the endeavour: POST /organizations/{id}/resources adds it to one.';
  }
  if (user_status !== 'active') return `names a user who is ${user_status}; an administrator can change that.`;
  if (rank === 0) {
    return 'names somebody who is no member of the endeavour: POST /endeavours/{id}/members, or POST /invitations.';
  }
  return 'names a viewer of the endeavour: PATCH /endeavours/{id}/members/{user_id} with the role member.';
}
