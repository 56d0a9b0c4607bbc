/** SQL: whether the user signed in from that network before; both are SQL for their values. */
export const isKnownAddress = (userId: string, network: string): string =>
  `EXISTS (SELECT 1 FROM known_addresses known WHERE known.user_id = ${userId} AND known.network = ${network})`;
