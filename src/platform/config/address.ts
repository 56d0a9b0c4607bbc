import type { Settings } from './settings.js';

/** Where people reach the service, without a slash at the end. */
export function serviceAddress(settings: Settings): string {
  return settings.PUBLIC_URL?.replace(/\/+$/, '') ?? localAddress(settings);
}

/** Where this machine reaches the service. */
export function localAddress({ HOST, PORT }: Settings): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
