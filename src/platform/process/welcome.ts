import { join } from 'node:path';
import type { Settings } from '../config/settings.js';

/** What a newcomer wants to know when the service is up. */
export function welcome(settings: Settings): string {
  const mail = settings.SMTP_URL === undefined ? `files in ${join(settings.DATA_DIR, 'mail')}` : 'goes out by SMTP';
  const lines = {
    Explorer: `${addressOf(settings)}/docs`,
    Mail: mail,
    'To stop': 'Ctrl-C',
  };
  const rows = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(15)}${value}`);
  return ['', 'Worksmith is up.', ...rows, ''].join('\n');
}

/** Where people reach the service. */
function addressOf({ PUBLIC_URL, HOST, PORT }: Settings): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/+$/, '');
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
