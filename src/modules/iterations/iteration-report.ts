import { isRecord } from '../../common/texts/json.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { iterationLifecycle, type IterationStatus } from './iteration.lifecycle.js';

/** The parts of the scope of an iteration. */
export const REPORT_PARTS = ['committed', 'added', 'removed', 'completed', 'canceled', 'carried_over'] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];

/** The number of tasks, the sum of their estimates in hours, and that of their points. */
export interface Measures {
  count: number;
  hours: number;
  points: number;
}

/** More than the sums of all tasks of an iteration. */
const MOST = 1e15;

export type Scope = Record<ReportPart, Measures>;

/** Reads a scope of an export; null if it is none. */
export function readScope(value: unknown): Scope | null {
  if (!isRecord(value)) return null;
  const parts = REPORT_PARTS.map((part) => [part, readMeasures(value[part])] as const);
  return parts.every(([, measures]) => measures !== null) ? (Object.fromEntries(parts) as Scope) : null;
}

function readMeasures(value: unknown): Measures | null {
  if (!isRecord(value)) return null;
  const { count, hours, points } = value;
  return [count, hours, points].every((number) => typeof number === 'number' && number >= 0 && number <= MOST)
    ? ({ count, hours, points } as Measures)
    : null;
}

/** How much the last closed iterations completed on average. */
export interface Velocity extends Measures {
  iterations: number;
}

export interface IterationReport extends Scope {
  iteration_id: string;
  status: IterationStatus;
  velocity: Velocity;
}

const measures = {
  count: { type: 'number', description: 'The number of tasks.' },
  hours: { type: 'number', description: 'The sum of their estimates.' },
  points: { type: 'number', description: 'The sum of their points.' },
} as const;

const part = (description: string): JsonSchema => ({ ...component('IterationScope', exactly(measures)), description });

/** The OpenAPI schema of the report. */
export const iterationReportSchema = component(
  'IterationReport',
  exactly({
    iteration_id: idOf('iteration'),
    status: { type: 'string', enum: [...iterationLifecycle.statuses] },
    committed: part('The tasks in it when it started, as large as they were then; before, those in it now.'),
    added: part('Tasks that entered later, as large as they were then.'),
    removed: part('Committed and added tasks that were taken out before it was closed.'),
    completed: part('Tasks in it that are done.'),
    canceled: part('Tasks in it that are canceled.'),
    carried_over: part('Tasks in it that are open, and were moved when it was closed.'),
    velocity: {
      ...component(
        'IterationVelocity',
        exactly({ iterations: { type: 'integer', description: 'The number of these iterations.' }, ...measures }),
      ),
      description:
        'What the last iterations of the endeavour that were closed before, five at most, completed on average.',
    },
  }),
);
