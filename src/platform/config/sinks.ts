import { ValidateBy } from 'class-validator';

/** Whether a receiver of this kind may be on another machine: only encrypted, because entries have addresses of people. */
const PROTOCOLS: Readonly<Record<string, { isEncrypted: boolean }>> = {
  'https:': { isEncrypted: true },
  'http:': { isEncrypted: false },
  'syslog+tls:': { isEncrypted: true },
  'syslog+tcp:': { isEncrypted: false },
};
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Keys belong into the headers, which no log shows; syslog has neither paths nor users. */
export function isSink(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(value);
  const kind = Object.hasOwn(PROTOCOLS, protocol) ? PROTOCOLS[protocol] : undefined;
  if (kind === undefined || hostname === '' || username !== '' || password !== '' || hash !== '') return false;
  if (protocol.startsWith('syslog') && pathname.replace('/', '') + search !== '') return false;
  return kind.isEncrypted || THIS_MACHINE.test(hostname);
}

/** A receiver of the audit. */
export const IsSink = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSink',
    validator: {
      validate: isSink,
      defaultMessage: ({ property } = { property: '' } as never) =>
        `${property} must have the form https://siem.example.org/path or syslog+tls://siem.example.org:6514, without a ` +
        'user; http and syslog+tcp are accepted for a receiver on this machine (localhost)',
    },
  });
