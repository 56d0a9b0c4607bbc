import type { Kind } from '../../common/kinds.js';

/** The fields whose earlier texts can be redacted, by kind. The texts of absent kinds never change. */
export const REDACTABLE: Partial<Record<Kind, readonly string[]>> = {
  organization: ['name', 'description', 'archived_reason', 'metadata'],
  endeavour: ['name', 'description', 'goals', 'archived_reason', 'external_ref', 'metadata'],
  demand: ['title', 'description', 'canceled_reason', 'external_ref', 'metadata'],
  task: ['title', 'description', 'canceled_reason', 'external_ref', 'metadata'],
  artifact: ['title', 'url', 'summary', 'tags', 'external_ref', 'metadata'],
  comment: ['content', 'metadata'],
  ritual: ['name', 'description', 'prompt', 'task', 'metadata'],
  ritual_run: ['result_summary', 'effects', 'error', 'metadata'],
  template: ['name', 'description', 'body', 'metadata'],
  dod_policy: ['name', 'description', 'metadata'],
  resource: ['name', 'skills', 'external_ref', 'metadata'],
};

/** Replaces a text that cannot be empty. */
export const REDACTED = 'Redacted.';

/** The values that replace the fields of earlier policy versions. */
export const BLANK_VERSION: Readonly<Record<string, string | null>> = {
  name: REDACTED,
  description: null,
  metadata: '{}',
};
