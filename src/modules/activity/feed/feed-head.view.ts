/** SQL: the last sequence of the feed. */
export const FEED_HEAD = '(SELECT head FROM feed_state)';
