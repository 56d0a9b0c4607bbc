import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { RoutePath } from './route-path.js';

const PREFIX = 'api/v1';

/** Adds the prefix of the API to a path. */
export const inApi = (path: string): string => `/${PREFIX}${path}`;

/** The paths of the routes without the prefix. */
const UNPREFIXED = ['/', '/health/live', '/health/ready', '/version'];

/** The prefix of all routes but these. */
export const GLOBAL_PREFIX: [string, { exclude: string[] }] = [PREFIX, { exclude: UNPREFIXED }];

/** A route as its controller declares it. */
export interface DeclaredRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: RoutePath;
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
    const words = `${base}/${String(Reflect.getMetadata(PATH_METADATA, value))}`.split('/').filter(Boolean);
    const path = `/${words.join('/')}`;
    const full = new RoutePath(UNPREFIXED.includes(path) ? path : inApi(path));
    yield { method: method as DeclaredRoute['method'], path: full, controller, handler: value };
  }
}
