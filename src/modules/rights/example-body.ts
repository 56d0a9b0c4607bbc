import type { Type } from '@nestjs/common';
import { kindOf } from '../../common/ids.js';
import { exampleOf } from '../../platform/http/openapi/examples.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import { fieldsOf } from '../../platform/http/bodies/fields/field.js';

const PROPERTIES = 'swagger/apiModelProperties';
const PARAMETERS = 'swagger/apiParameters';

interface DeclaredParameter {
  in: string;
  name?: string;
  required?: boolean;
  schema?: Schema;
}

/** Values of the required query parameters of a handler. */
export function exampleParameters(handler: Function): Record<string, string> {
  const parameters = (Reflect.getMetadata(PARAMETERS, handler) ?? []) as DeclaredParameter[];
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  return Object.fromEntries(required.map(({ name = '', schema = {} }) => [name, String(exampleOf(schema, name))]));
}

/**
 * A well-formed body with the required fields, in which the entity is the container or subject of what is created. The
 * entities that its other ids name do not exist: visibility and roles are checked before them.
 */
export function exampleBody(dto: Type, entityId: string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const fields = fieldsOf(dto);
  for (const [name, { required, requiredIf }] of fields) {
    if (!required && requiredIf === undefined) continue;
    const schema = (Reflect.getMetadata(PROPERTIES, dto.prototype as object, name) ?? {}) as Schema;
    body[name] = exampleOf(schema, name);
  }
  return entityId === undefined ? body : { ...body, ...reference(new Set(fields.keys()), entityId) };
}

/** The fields of a body that name the entity: by its kind, or by kind and id. */
function reference(names: ReadonlySet<string>, entityId: string): Record<string, unknown> {
  const kind = kindOf(entityId);
  if (kind === undefined) return {};
  if (names.has(`${kind}_id`)) return { [`${kind}_id`]: entityId };
  for (const prefix of ['', 'source_']) {
    if (names.has(`${prefix}entity_id`)) {
      return { [`${prefix}entity_type`]: kind, [`${prefix}entity_id`]: entityId };
    }
  }
  return names.has('scope_id') ? { scope_type: kind, scope_id: entityId } : {};
}
