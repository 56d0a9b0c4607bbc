import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network that one client is assumed to control, for limits: an IPv4 address itself, the /64 of an IPv6 address
 * (`2001:db8:0:1::/64`). Any other text counts as itself.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  const [plain] = address.split('%');
  return isIPv6(plain) ? `${prefixOf(plain)}::/64` : address;
}

/** The first four groups of an IPv6 address, each in its shortest form. */
function prefixOf(address: string): string {
  const [head, tail] = address.split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const trailing = groupsOf(tail);
    // A dotted quad at the end stands for two groups.
    const present = groups.length + trailing.length + (tail.includes('.') ? 1 : 0);
    groups.push(...Array<string>(Math.max(0, 8 - present)).fill('0'), ...trailing);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/** Whether one of the networks is the address or contains it (`10.0.0.1`, `10.0.0.0/8`, `fd00::/8`). */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address.split('%')[0];
  if (isIP(plain) === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base, prefix] = network.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    list.addSubnet(base, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
