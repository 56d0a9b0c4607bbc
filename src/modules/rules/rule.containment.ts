import type { Containment } from '../../platform/containment/containment.js';
import { EXPORT_SCOPE } from '../../platform/containment/export-part.js';
import type { Rule } from './rule.entity.js';
import { ruleView } from './rule.view.js';

const { fields } = ruleView;

/** Archiving an endeavour leaves its rules as they are. An export does not name what their texts find elsewhere. */
export const ruleContainment: Containment<Rule> = {
  exportKey: 'rules',
  view: ruleView,
  exported: {
    ...ruleView,
    fields: {
      ...fields,
      filter: { ...fields.filter, sql: EXPORT_SCOPE.withoutOutside('ru.filter::json') },
      actions: { ...fields.actions, sql: EXPORT_SCOPE.withoutOutside('ru.actions::json') },
    },
  },
  erasing: { parts: ['rule_states', 'rule_runs'].map((table) => ({ table, column: 'rule_id' })) },
};
