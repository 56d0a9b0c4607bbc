import { join } from 'node:path';
import { serviceAddress } from '../config/address.js';
import type { Settings } from '../config/settings.js';

/** An administrator who was just created; the password is shown only now. */
export interface CreatedAdministrator {
  email: string;
  password?: string;
}

/** The fields of the log line after the start, for operators. */
export function startFields(settings: Settings, created?: CreatedAdministrator): Record<string, unknown> {
  return {
    explorer: `${serviceAddress(settings)}/docs`,
    open_to_network: isOpenToNetwork(settings),
    self_registration: settings.SELF_REGISTRATION,
    mail: mailDestination(settings),
    administrator: created?.email,
    password: created?.password,
  };
}

/** The text with the same information that a start writes to a terminal at its end. */
export function banner(settings: Settings, version: string, created?: CreatedAdministrator): string {
  const { PORT, HOST, SELF_REGISTRATION } = settings;
  const lines: Record<string, string> = {
    Explorer: `${serviceAddress(settings)}/docs`,
    Network: isOpenToNetwork(settings)
      ? `port ${PORT} is reachable from the network (set HOST=127.0.0.1 to restrict it to this machine)`
      : `reachable from this machine only, at ${HOST}`,
    Registration: SELF_REGISTRATION
      ? 'open to everyone who can reach the port (set SELF_REGISTRATION=false to disable it)'
      : 'by invitation only',
    ...(created !== undefined && { Administrator: created.email }),
    ...(created?.password !== undefined && { Password: `${created.password}   (shown only once)` }),
    Mail: mailDestination(settings),
    'To stop': 'Ctrl-C',
  };
  const rows = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(15)}${value}`);
  return ['', `Worksmith ${version} is running.`, ...rows, ''].join('\n');
}

const mailDestination = ({ SMTP_URL, DATA_DIR }: Settings): string =>
  SMTP_URL === undefined ? `files in ${join(DATA_DIR, 'mail')}` : 'sent by SMTP';

const isOpenToNetwork = ({ HOST }: Settings): boolean => !/^(127\.|::1$|localhost$)/.test(HOST);
