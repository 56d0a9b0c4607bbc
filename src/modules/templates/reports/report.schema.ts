import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { TEMPLATE_SCOPES } from '../template.lifecycle.js';

/** The OpenAPI schema of a report. */
export const reportSchema = component(
  'Report',
  exactly({
    scope: { type: 'string', enum: [...TEMPLATE_SCOPES] },
    entity_id: { type: 'string', pattern: '^[a-z]{3}_[0-9a-f]{32}$' },
    template_id: { type: 'string', pattern: '^tpl_[0-9a-f]{32}$' },
    title: { type: 'string' },
    markdown: { type: 'string' },
    generated_at: { type: 'string', format: 'date-time' },
  }),
);
