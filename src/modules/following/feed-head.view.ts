/** SQL for the number of the latest entry of the feed. */
export const FEED_HEAD = '(SELECT head FROM feed_state)';
