import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidInput, type FieldError } from '../../common/errors.js';
import { MAX_EXTERNAL_ID, MAX_SOURCE } from '../../common/external-ref.js';
import { isId } from '../../common/ids.js';
import { createOrPatchReader, type CreateOrPatch } from '../../platform/http/bodies/create-or-patch.js';
import { fieldError, type DtoClass } from '../../platform/http/bodies/fields/field.js';
import { externalIdErrors, sourceErrors } from '../../platform/http/bodies/fields/external-ref.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import { rawQueryOf } from '../../platform/http/requests/query-parameters.js';

type Container = 'endeavour' | 'organization';

/** The path, query and body of a request that identifies an entity by its id in another system. */
export interface ExternalPut<C, P> extends CreateOrPatch<C, P> {
  source: string;
  externalId: string;
  containerId: string;
}

interface ReadOptions {
  container: Container;
  read: ReturnType<typeof createOrPatchReader>;
}

const Read = createParamDecorator(({ container, read }: ReadOptions, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { source, external_id: externalId } = request.params as Record<string, string>;
  const name = `${container}_id`;
  const containerId = readQuery(rawQueryOf(request), { [name]: (raw) => ({ value: raw }) }).get(name);
  const errors: FieldError[] = [
    ...sourceErrors(source, 'source'),
    ...externalIdErrors(externalId, 'external_id'),
    ...containerErrors(container, containerId),
  ];
  const body = read(request.body === undefined ? {} : request.body, errors);
  if (errors.length > 0) throw invalidInput(errors);
  return { source, externalId, containerId, ...body };
});

/** Reads the path `/by-external/{source}/{external_id}?endeavour_id=...` and the body, and reports all errors at once. */
export const ExternalRequest = <C extends object, P extends object>(
  container: Container,
  creation: DtoClass<C>,
  patch: DtoClass<P>,
  { representation }: { representation: readonly string[] },
): ParameterDecorator => Read({ container, read: createOrPatchReader(creation, patch, representation) });

function containerErrors(container: Container, id: unknown): FieldError[] {
  const name = `${container}_id`;
  if (id === undefined) return fieldError(name, 'required', 'is required.');
  return isId(container, id) ? [] : fieldError(name, 'invalid_format', `must be the id of an ${container}.`);
}

/** The path and query parameters for the OpenAPI document. */
export const externalParameters = (container: Container) => ({
  words: {
    source: {
      description: 'The other system, such as `jira`.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_SOURCE, examples: ['jira'] },
    },
    external_id: {
      description: 'The id in the other system, percent-encoded.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID, pattern: '^.+$', examples: ['GARDEN-17'] },
    },
  },
  query: {
    [`${container}_id`]: {
      description: `The ${container} that contains it, or in which it is created.`,
      schema: idOf(container),
      required: true,
    },
  },
});
