import type { Sent } from './client.js';
import { Placeholder, Raw } from './choices.js';
import type { Form, Plan } from './plans.js';
import { fillPlaceholders, mutate, render } from './render.js';
import type { World } from './world.js';

/** Builds the request of a plan from the current state of the world. */
export function requestOf(plan: Plan, world: World): Sent {
  const { person, authorization } = world.callerOf(plan.caller);
  const fill = (value: unknown): unknown =>
    fillPlaceholders(value, (placeholder) => world.resolve(placeholder, person));
  const path = pathOf(plan, fill);
  const body = bodyOf(plan, fill);
  const headers: Record<string, string> = { ...authorization };
  if (body !== undefined) headers['content-type'] = 'application/json';
  for (const [name, value] of plan.headers) {
    headers[name.toLowerCase()] = value instanceof Placeholder ? world.etagFor(path, value.at) : textOf(value);
  }
  return {
    operation: plan.operation.id,
    method: plan.method,
    path,
    headers,
    body,
    isChunked: plan.form === 'chunked',
    person,
  };
}

function pathOf(plan: Plan, fill: (value: unknown) => unknown): string {
  const segments = plan.path.map((segment) => wire(fill(segment)));
  const path = plan.operation.template.replaceAll(/\{[^}]+\}/g, () => segments.shift() ?? '');
  const query = plan.query.map(([name, value]) => `${wire(name)}=${wire(fill(value))}`);
  const whole = [path, ...segments].join('/');
  return query.length === 0 ? whole : `${whole}?${query.join('&')}`;
}

const wire = (value: unknown): string => (value instanceof Raw ? value.text : encodeURIComponent(String(value)));

const textOf = (value: unknown): string => (value instanceof Raw ? value.text : String(value));

function bodyOf(plan: Plan, fill: (value: unknown) => unknown): Buffer | undefined {
  if (plan.form === 'none' || (plan.body === undefined && plan.mutations.length === 0)) return undefined;
  return distort(render(mutate(fill(plan.body), plan.mutations)), plan.form);
}

function distort(text: string, form: Form): Buffer {
  if (form === 'cut') return Buffer.from(text.slice(0, -Math.ceil(text.length / 3)));
  if (form === 'twofold') return Buffer.from(text + text);
  if (form === 'bom') return Buffer.from(`\uFEFF${text}`);
  if (form === 'utf16') return Buffer.from(text, 'utf16le');
  if (form === 'latin1') return Buffer.from(text, 'latin1');
  if (form === 'commented') return Buffer.from(`/* x */ ${text} // y`);
  if (form === 'array') return Buffer.from(`[${text}]`);
  return Buffer.from(text);
}
