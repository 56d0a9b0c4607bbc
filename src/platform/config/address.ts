import type { Settings } from './settings.js';

/** Where people reach the service, without a slash at the end. */
export function serviceAddress({ PUBLIC_URL, HOST, PORT }: Settings): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/+$/, '');
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
