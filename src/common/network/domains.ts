import { domainToASCII } from 'node:url';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The canonical form of a domain: ASCII in lower case; undefined if it is none. */
export function normalizeDomain(text: string): string | undefined {
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  return DOMAIN.test(domain) && domain.length <= 253 ? domain : undefined;
}

/** The domain of an e-mail address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
