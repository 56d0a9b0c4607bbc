import * as nest from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { RequestInterceptor } from './request.interceptor.js';

type Route = (path?: string) => MethodDecorator;

const inTransaction =
  (route: Route): Route =>
  (path) =>
    nest.applyDecorators(route(path), nest.UseInterceptors(RequestInterceptor));

/**
 * Nest's route decorators for writes: the handler runs in one transaction, and under the idempotency key if there is
 * one. Reads use Nest's `Get`, because an interceptor costs as much as the rest of the framework.
 */
export const TransactionalPost = inTransaction(nest.Post);
export const TransactionalPatch = inTransaction(nest.Patch);
export const TransactionalPut = inTransaction(nest.Put);
export const TransactionalDelete = inTransaction(nest.Delete);

/** Whether a handler is declared with one of these decorators. */
export const isTransactional = (handler: Function): boolean =>
  ((Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[]).includes(RequestInterceptor);
