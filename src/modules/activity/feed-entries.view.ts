/** SQL for `FROM`: the entries of the feed, each with its event. */
export const feedEntries = (entry: string, event: string): string =>
  `feed ${entry} JOIN events ${event} ON ${event}.sequence = ${entry}.event_sequence`;

/** Joins the resources that an entry concerns beyond those in its data, such as participants of a discussion. */
export const joinFeedAudience = (alias: string, sequence: string): string =>
  `JOIN feed_audience ${alias} ON ${alias}.sequence = ${sequence}`;
