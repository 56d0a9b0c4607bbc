import type { OpenAPIObject } from '@nestjs/swagger';
import type { ApiRequest } from './rows.js';

/** The question to `POST /auth/can` about a request: the entity in its path, its other parameters, and its body. */
export function questionOf(document: OpenAPIObject, action: string, { path, body }: ApiRequest): object {
  const [pathname, search = ''] = path.split('?');
  const values: Record<string, string> = { ...pathValues(document, action, pathname) };
  for (const [name, value] of new URLSearchParams(search)) values[name] = value;
  const { id, ...parameters } = values;
  return {
    action,
    ...(id !== undefined && { entity_id: id }),
    ...(body !== undefined && { body }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}

/** The entity of a short question: the one in the path, or the container or subject in the body. */
export function entityOf(document: OpenAPIObject, action: string, { path, body }: ApiRequest): string | undefined {
  const { id } = pathValues(document, action, path.split('?')[0]);
  if (id !== undefined) return id;
  const { endeavour_id, organization_id, entity_id, scope_id } = (body ?? {}) as Record<string, string | undefined>;
  return entity_id ?? endeavour_id ?? organization_id ?? scope_id;
}

function pathValues(document: OpenAPIObject, action: string, pathname: string): Record<string, string> {
  const template = Object.entries(document.paths).find(([, methods]) =>
    Object.values(methods as Record<string, { operationId?: string }>).some(
      ({ operationId }) => operationId === action,
    ),
  )?.[0];
  const names = template?.split('/') ?? [];
  const values = `/api/v1${pathname}`.split('/');
  return Object.fromEntries(
    names.flatMap((name, at) => (name.startsWith('{') ? [[name.slice(1, -1), values[at]]] : [])),
  );
}
