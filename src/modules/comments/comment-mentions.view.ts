/** SQL: the resources that were mentioned in a comment for the first time by the change that an event records. */
export const joinNewMentions = (alias: string, event: string): string =>
  `JOIN comment_mentions ${alias} ON ${alias}.comment_id = ${event}.entity_id AND ${alias}.transaction = ${event}.transaction`;
