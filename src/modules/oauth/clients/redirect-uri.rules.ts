/** Addresses of this machine, which other machines cannot receive, by the names that the URL parser gives them. */
const LOOPBACKS = ['127.0.0.1', '[::1]', 'localhost'];
/** A scheme that a program makes of its domain name, such as `com.example.app` (RFC 8252, section 7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

/**
 * Why answers may not go to an address, as the rest of a sentence; undefined if they may: https, http to this machine, or the
 * scheme of a program. What browsers and this service could read differently is refused.
 */
export function redirectUriFault(text: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\')) return 'must be an address in visible ASCII characters.';
  if (!URL.canParse(text)) return 'must be an address such as https://app.example.com/callback.';
  if (text.includes('#')) return 'must not have a fragment.';
  if (text.includes('*')) return 'must not have a wildcard, because addresses are compared exactly.';
  const { protocol, username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return 'must not have a user name or password.';
  const isLoopback = LOOPBACKS.includes(hostname);
  if (protocol === 'https:') return isLoopback ? 'must use http for an address of this machine.' : undefined;
  if (protocol === 'http:') return isLoopback ? undefined : 'must use https.';
  if (PRIVATE_USE.test(protocol)) return undefined;
  return 'must use https, http for this machine, or a scheme with a domain name such as com.example.app.';
}
