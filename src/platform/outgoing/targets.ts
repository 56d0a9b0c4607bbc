import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isInNetworks } from '../../common/network/network.js';
import { isPublicAddress } from '../../common/network/public-address.js';
import type { HostResolver } from './host-resolver.js';

/** Thrown for a target that the service must not send requests to; the message is for those who have set it. */
export class ForbiddenTarget extends Error {}

/** The host without the brackets of an IPv6 address and the trailing dot of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** Whether requests may go to the address: it is public, or in one of the networks that the settings allow. */
export const isAllowedAddress = (address: string, networks: readonly string[]): boolean =>
  isPublicAddress(address) || isInNetworks(address, networks);

/**
 * The addresses of the host of a target. Decimal, octal and short forms of addresses are already normalized by the URL
 * parser.
 */
export async function resolveHost(resolver: HostResolver, target: URL): Promise<string[]> {
  const host = hostOf(target);
  return isIP(host) === 0 ? resolver.addressesOf(host) : [host];
}

/** The addresses of the target, all of which are allowed; throws {@link ForbiddenTarget} otherwise. */
export async function allowedAddresses(
  resolver: HostResolver,
  target: URL,
  networks: readonly string[],
): Promise<string[]> {
  const addresses = await resolveHost(resolver, target);
  if (addresses.length === 0) throw new ForbiddenTarget('The host name has no address.');
  if (addresses.every((address) => isAllowedAddress(address, networks))) return addresses;
  throw new ForbiddenTarget('The host has an address that is not public.');
}

/** A lookup that returns the checked addresses, even if the name has other addresses by now. */
export const lookupOf =
  (addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const results = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (all === true) callback(null, results);
    else callback(null, results[0].address, results[0].family);
  };
