import { domainToASCII } from 'node:url';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** The characters allowed before IDNA conversion, whose URL parser also accepts ports, paths and percent signs. */
const DOMAIN_INPUT = /^[^\s\p{Cc}\p{Cs}!-,/:-@[-`{-~]+$/u;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The canonical form in which an e-mail address is stored and compared: trimmed, in lower case, its domain in ASCII.
 * Undefined for an unusable address. Idempotent.
 */
export function normalizeEmail(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || at > 64 || address.length > 254) return undefined;
  const [local, input] = [address.slice(0, at), address.slice(at + 1)];
  if (!LOCAL_PART.test(local) || !DOMAIN_INPUT.test(input)) return undefined;
  const domain = domainToASCII(input);
  if (!DOMAIN.test(domain)) return undefined;
  const normalized = `${local}@${domain}`.toLowerCase();
  return normalized.length > 254 ? undefined : normalized;
}
