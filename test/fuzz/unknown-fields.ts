import type { Plan } from './plans.js';

/** Parameters and properties that clients of other servers send. */
const PARAMETERS: readonly [string, string][] = [
  ['start_time', '2026-11-20T10:00:00Z'],
  ['offset', '1'],
  ['page', '2'],
  ['stage', '!done'],
];
const PROPERTIES = { stage: 'review', labels: ['red'], options: { deep: [null, { color: 7 }] }, version: null };

/** The plan with parameters that its operation does not have, and with unknown properties in every object of its body. */
export function withUnknown(plan: Plan): Plan {
  const known = new Set(
    [...plan.operation.parameters, ...plan.query.map(([name]) => ({ name }))].map(({ name }) => name),
  );
  const added = PARAMETERS.filter(([name]) => !known.has(name));
  return { ...plan, query: [...plan.query, ...added], body: inEveryObject(plan.body) };
}

function inEveryObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEveryObject);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inEveryObject(inner)]));
  return { ...PROPERTIES, ...own };
}
