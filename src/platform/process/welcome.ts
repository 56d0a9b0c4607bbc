import { join } from 'node:path';
import { serviceAddress } from '../config/address.js';
import type { Settings } from '../config/settings.js';

/** What a newcomer wants to know when the service is up; the password of an administrator who was just made is said here only. */
export function welcome(settings: Settings, made?: { email: string; password?: string }): string {
  const lines: Record<string, string> = {
    Explorer: `${serviceAddress(settings)}/docs`,
    ...(made !== undefined && { Administrator: made.email }),
    ...(made?.password !== undefined && { Password: `${made.password}   (shown only this once)` }),
    Mail: settings.SMTP_URL === undefined ? `files in ${join(settings.DATA_DIR, 'mail')}` : 'goes out by SMTP',
    'To stop': 'Ctrl-C',
  };
  const rows = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(15)}${value}`);
  return ['', 'Worksmith is up.', ...rows, ''].join('\n');
}
