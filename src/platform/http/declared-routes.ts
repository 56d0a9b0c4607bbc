import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';

/** A route as its controller declares it. */
export interface DeclaredRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/api/v1/organizations/:id/members/:user_id` */
  path: string;
  controller: Function;
  handler: Function;
}

/** Every route of every controller. */
export function* declaredRoutes(modules: ModulesContainer): Generator<DeclaredRoute> {
  for (const module of modules.values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function') yield* routesOf(metatype);
    }
  }
}

function* routesOf(controller: Function): Generator<DeclaredRoute> {
  const base = String(Reflect.getMetadata(PATH_METADATA, controller));
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object))) {
    if (typeof value !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, value)) continue;
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, value) as RequestMethod];
    const subpath = String(Reflect.getMetadata(PATH_METADATA, value));
    const path = `/api/v1/${[base, subpath].join('/')}`.replaceAll(/\/+/g, '/').replace(/\/$/, '');
    yield { method: method as DeclaredRoute['method'], path, controller, handler: value };
  }
}
