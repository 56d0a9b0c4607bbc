import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const FORM = 'application/x-www-form-urlencoded';
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Routes that take a form instead of JSON, because a standard says so. */
const ROUTES = new Set<string>();

/** Lets this route (`/api/v1/auth/oidc/:provider_id/logout`) take a form, and nothing else. */
export function AcceptsForms(route: string): ClassDecorator {
  ROUTES.add(route);
  return SetMetadata('worksmith:forms', route);
}

export const isFormRoute = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && ROUTES.has(routeOptions.url ?? '');

export const isForm = (contentType: string): boolean => FORM_TYPE.test(contentType);

/** The fields of a form; of a field that is sent twice, there is none. */
export function fieldsOfForm(raw: Buffer): Record<string, string> {
  const form = new URLSearchParams(raw.toString());
  const names = [...new Set(form.keys())].filter((name) => form.getAll(name).length === 1);
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? '']));
}
