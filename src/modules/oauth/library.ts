import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Library = typeof import('oidc-provider');

const NAME = 'oidc-provider';
/** What the framework of the library requires at once; the largest first. */
const FRAMEWORK_PARTS = ['debug', 'http-errors', 'cookies', 'accepts', 'type-is', 'mime-types', 'http-assert'];
const PARTS = [
  'helpers/errors',
  'helpers/defaults',
  'helpers/configuration',
  'helpers/client_schema',
  'shared/client_auth',
  'actions/grants/index',
  'actions/authorization/index',
  'actions/index',
  'models/index',
  'helpers/initialize_app',
  'provider',
];

/**
 * Loads the library part by part. As a whole, that takes some tenths of a second, in which no request would be answered;
 * between the parts, others are.
 */
export async function loadLibrary(): Promise<Library> {
  const own = createRequire(createRequire(import.meta.url).resolve(NAME));
  const framework = createRequire(own.resolve('koa'));
  for (const part of FRAMEWORK_PARTS) {
    framework(part);
    await nextTurn();
  }
  own('koa');
  for (const part of PARTS) {
    await nextTurn();
    await import(`${NAME}/lib/${part}.js`);
  }
  await nextTurn();
  return import('oidc-provider');
}
