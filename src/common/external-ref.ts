/** Where the same thing is in another system. */
export interface ExternalRef {
  /** The other system, such as `jira`. */
  source: string;
  /** What identifies the thing there. */
  id: string;
  /** Where people find it there. */
  url: string | null;
}

/** A reference in a body: a patch may leave out what stays. */
export type SentExternalRef = Partial<ExternalRef>;

export const MAX_SOURCE = 50;
export const MAX_EXTERNAL_ID = 200;
