import type { Containment } from '../../platform/containment/containment.js';
import { defineView, json, nullable } from '../../platform/database/views/view.js';
import type { Scope } from './iteration-report.js';
import type { Iteration } from './iteration.entity.js';
import { iterationView } from './iteration.view.js';

/** Archiving an endeavour leaves its iterations as they are. */
export const iterationContainment: Containment<Iteration> = {
  exportKey: 'iterations',
  view: iterationView,
  exported: defineView({
    ...iterationView,
    fields: { ...iterationView.fields, report: nullable(json<Scope>('i.report', { type: 'object' })) },
  }),
  erasing: {
    after: ['task', 'demand'],
    parts: [{ table: 'iteration_changes', column: 'iteration_id' }],
    references: ['tasks', 'demands'].map((table) => ({ table, column: 'iteration_id' })),
  },
};
