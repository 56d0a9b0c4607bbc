import { anyId, defineView, id, nullable, oneOf, text, time, withExample } from '../../platform/database/views/view.js';
import { RUN_STATUSES } from './rule-run.rules.js';

/** A run as admins of the endeavour see it. */
export const ruleRunView = defineView({
  name: 'RuleRun',
  kind: 'rule_run',
  table: 'rule_runs',
  alias: 'rn',
  joins: '',
  fields: {
    id: id('rn.id', 'rule_run'),
    rule_id: id('rn.rule_id', 'rule'),
    event_id: id('rn.event_id', 'event'),
    event_type: withExample(text('rn.event_type', 'The type of the event.'), 'task.status_changed'),
    entity_id: anyId('rn.entity_id'),
    status: oneOf('rn.status', RUN_STATUSES),
    error_code: nullable(text('rn.error_code', 'The code of the error for which it was refused.')),
    error: nullable(text('rn.error', 'Why it was refused, failed or was canceled.')),
    created_at: time('rn.created_at'),
    ran_at: nullable(time('rn.ran_at')),
  },
});
