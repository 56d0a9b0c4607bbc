/** A statement that deletes what belongs to the grants of a person. */
export const eraseOauthItems = (person: string): string =>
  `DELETE FROM oauth_items WHERE grant_id IN (SELECT a.id FROM access_tokens a WHERE a.user_id = ${person})`;
