import type { Containment } from '../../platform/containment/containment.js';
import { EXPORT_SCOPE } from '../../platform/containment/export-part.js';
import { lineageErasing, type Erasing } from '../../platform/containment/erasing.js';
import { withoutForeignOrigin } from '../../platform/containment/lineage.js';
import { defineView, json } from '../../platform/database/views/view.js';
import { checkView } from './results/check.view.js';
import { endorsementView } from './endorsements/endorsement.view.js';
import { policyView } from './policies/policy.view.js';

/** SQL: `rested_on` without the ids of entities that are not part of the export. */
const restedOn = `ARRAY(SELECT counted FROM unnest(k.rested_on) WITH ORDINALITY AS listed (counted, position)
  WHERE NOT EXISTS (SELECT 1 FROM entities x WHERE x.id = counted
    AND NOT ${EXPORT_SCOPE.containsEvenIfDeleted('x.id')}) ORDER BY position)`;

const lineage = lineageErasing('dod_policies');

/** Results are erased with the endeavour of their task. */
export const resultErasing: Erasing = { kind: 'dod_result', table: 'dod_results' };

/** An organization's policies are part of its export. */
export const policyContainment: Containment = {
  exportKey: 'dod_policies',
  view: policyView,
  exported: withoutForeignOrigin(policyView),
  erasing: {
    after: ['dod_endorsement'],
    before: lineage.before,
    references: [
      ...(lineage.references ?? []),
      { table: 'dod_checks', column: 'policy_id' },
      { table: 'endeavours', column: 'dod_policy_id' },
      { table: 'tasks', column: 'dod_override_policy_id' },
    ],
  },
};

/** Endorsements are part of the export of their endeavour. */
export const endorsementContainment: Containment = { exportKey: 'endorsements', view: endorsementView };

/** Checks are part of the export of their endeavour. */
export const checkContainment: Containment = {
  exportKey: 'dod_checks',
  view: checkView,
  erasing: { references: [{ table: 'tasks', column: 'dod_check_id' }] },
  exported: defineView({ ...checkView, fields: { ...checkView.fields, rested_on: json(restedOn, { type: 'array' }) } }),
};
