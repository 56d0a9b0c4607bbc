import { namesWith } from '../../platform/database/views/text-traits.js';
import { ENTITY_VIEWS } from './my-data.view.js';

/** The fields whose earlier texts can be redacted, by kind. */
export const REDACTABLE = new Map(ENTITY_VIEWS.map((view) => [view.kind, namesWith('redactable', view)]));

/** Replaces a text that cannot be empty. */
export const REDACTED = 'Redacted.';

/** The values that replace the fields of earlier policy versions. */
export const BLANK_VERSION: Readonly<Record<string, string | null>> = {
  name: REDACTED,
  description: null,
  metadata: '{}',
};
