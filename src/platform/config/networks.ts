import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

/**
 * `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`; a network of all addresses is rejected, because it would trust every client.
 */
export function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [address, prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0;
  return bits >= 1 && bits <= (family === 4 ? 32 : 128);
}

/** A list of IP addresses and networks. */
export const AreNetworks = (): PropertyDecorator =>
  ValidateBy({
    name: 'areNetworks',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isNetwork),
      defaultMessage: ({ property } = { property: '' } as never) =>
        `${property} must be a comma-separated list of IP addresses and networks such as 10.0.0.0/8`,
    },
  });
