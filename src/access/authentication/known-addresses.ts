/** SQL: whether the user has signed in from that network; both parameters are SQL expressions. */
export const isKnownAddress = (userId: string, network: string): string =>
  `EXISTS (SELECT 1 FROM known_addresses known WHERE known.user_id = ${userId} AND known.network = ${network})`;
