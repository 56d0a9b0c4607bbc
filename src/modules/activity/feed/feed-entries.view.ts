/** SQL for `FROM`: the entries of the feed, each with its event. */
export const feedEntries = (entry: string, event: string): string =>
  `feed ${entry} JOIN events ${event} ON ${event}.sequence = ${entry}.event_sequence`;
