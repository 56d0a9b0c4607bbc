/** A reference to the same entity in another system. */
export interface ExternalRef {
  /** The other system, such as `jira`. */
  source: string;
  /** The identifier in the other system. */
  id: string;
  /** The address in the other system. */
  url: string | null;
}

/** A reference as sent in a body; a patch can omit properties that do not change. */
export type SentExternalRef = Partial<ExternalRef>;

export const MAX_SOURCE = 50;
export const MAX_EXTERNAL_ID = 200;
