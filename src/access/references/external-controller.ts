import { Controller, Inject, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '../../common/errors.js';
import type { JsonSchema, Representation } from '../../platform/database/views/view.js';
import type { Created } from '../../platform/http/responses/created.js';
import type { DtoClass } from '../../platform/http/bodies/fields/field.js';
import { TransactionalPut } from '../../platform/http/requests/transactional-routes.js';
import type { Caller } from '../authentication/caller.js';
import { CurrentCaller } from '../authentication/current-caller.js';
import { ExternalRefs, type ExternalKind } from './external-refs.js';
import { externalParameters, ExternalRequest, type ExternalPut } from './external-request.js';
import { Operation } from '../operations/operation.js';
import type { OperationId } from '../permissions/permissions.js';

/** How a feature creates or updates its entities by their id in another system. */
interface ExternalDeclaration<C extends object, P extends object> extends ExternalKind {
  operation: OperationId;
  /** The path of the collection, without slashes. */
  path: string;
  tag: string;
  creationBody: DtoClass<C>;
  patchBody: DtoClass<P>;
  /** What the operation returns, if that is not the view. */
  response?: JsonSchema;
  refuses: readonly ErrorCode[];
  service: Type<ExternalService<C, P>>;
}

/** The use cases of POST and PATCH. */
interface ExternalService<C, P> {
  create(me: Caller, dto: C): Promise<Representation>;
  update(me: Caller, id: string, dto: P): Promise<Representation>;
}

/** Creates the controller of PUT /{path}/by-external/{source}/{external_id}. */
export function externalController<C extends object, P extends object>(declaration: ExternalDeclaration<C, P>): Type {
  const { operation, path, tag, view, container, creationBody, patchBody, response = view, refuses } = declaration;
  const { kind } = view;
  const representation = Object.keys(view.fields);

  @ApiTags(tag)
  @Controller(path)
  class ExternalController {
    constructor(
      private readonly externalRefs: ExternalRefs,
      @Inject(declaration.service) private readonly service: ExternalService<C, P>,
    ) {}

    @TransactionalPut('by-external/:source/:external_id')
    @Operation(operation, {
      summary: `Create or update ${kind} by external reference`,
      description:
        `Creates the ${kind} with this external_ref in the ${container}, or updates it as PATCH does (JSON merge patch). ` +
        `Accepts the properties of POST for a new ${kind} and those of PATCH for an existing one. Concurrent requests ` +
        `create one ${kind}.`,
      ...externalParameters(container),
      mayCreate: true,
      createdIn: `/${path}`,
      body: patchBody,
      response,
      refuses,
    })
    put(
      @CurrentCaller() me: Caller,
      @ExternalRequest(container, creationBody, patchBody, { representation }) request: ExternalPut<C, P>,
    ): Promise<Representation | Created> {
      return this.externalRefs.put(me, request, declaration, {
        create: (dto) => this.service.create(me, dto),
        update: (id, dto) => this.service.update(me, id, dto),
      });
    }
  }
  return ExternalController;
}
