import type { KeyObject } from 'node:crypto';

interface CookieNames {
  interaction: string;
  resume: string;
  session: string;
}

/**
 * The names of the cookies that bind a request of a program to the browser in which it was begun. A site beside or above the service
 * cannot set cookies with these prefixes. Browsers accept them with TLS only.
 */
export const cookieNames = (issuer: string): CookieNames => {
  const isSecure = issuer.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  return {
    interaction: `${prefix}worksmith-consent`,
    session: `${prefix}worksmith-oauth`,
    // Its path is that of one request, which the other prefix does not allow.
    resume: `${isSecure ? '__Secure-' : ''}worksmith-resume`,
  };
};

/** How the library sets its cookies. */
export function cookieSettings(issuer: string, key: KeyObject): object {
  const attributes = {
    httpOnly: true,
    overwrite: true,
    path: '/',
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
    signed: true,
  };
  return {
    keys: [key.export().toString('base64url')],
    names: cookieNames(issuer),
    long: attributes,
    short: attributes,
  };
}
