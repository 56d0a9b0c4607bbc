import type { Settings } from './settings.js';

/** The public address of the service, without a trailing slash. */
export function serviceAddress(settings: Settings): string {
  return settings.PUBLIC_URL?.replace(/\/+$/, '') ?? localAddress(settings);
}

/** The address of the service on this machine. */
export function localAddress({ HOST, PORT }: Settings): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
