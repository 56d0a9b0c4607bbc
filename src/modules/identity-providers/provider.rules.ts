import { domainToASCII } from 'node:url';
import type { FieldError } from '../../common/errors.js';
import { normalizeEmail } from '../../common/email.js';
import { isRecord } from '../../common/json.js';
import { isCleanText, isVisibleLine } from '../../common/text.js';
import { MAX_SUBJECT } from './identity.entity.js';

export const MAX_PROVIDERS = 20;
export const CLOCK_TOLERANCE_SECONDS = 60;

const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Issuers under which many companies, or everybody, have accounts. */
const SHARED_ISSUER =
  /^https:\/\/(?:accounts\.google\.com|login\.microsoftonline\.com\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad))(?:\/|$)/;

/** Who the provider says has signed in. */
export interface ProviderClaims {
  subject: string;
  /** In canonical form; undefined if there is none, or none that can be used. */
  email?: string;
  isVerified: boolean;
  name?: string;
  /** When the person signed in there, in seconds; undefined if the provider does not say. */
  authenticatedAt?: number;
}

/**
 * Whether a sign-in at the provider counts as one with a second factor. One of an organization proves it only towards that
 * organization: its owners run it, and an account reaches further.
 */
export const provesSecondFactor = (provider: { organizationId: string | null; provesSecondFactor: boolean }): boolean =>
  provider.provesSecondFactor && provider.organizationId === null;

export const isShared = (issuer: string): boolean => SHARED_ISSUER.test(issuer);

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** The canonical form of a domain; undefined if it is none. */
export function normalizeDomain(text: string): string | undefined {
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  return DOMAIN.test(domain) && domain.length <= 253 ? domain : undefined;
}

export const issuerErrors = (issuer: string): FieldError[] =>
  /[?#]/.test(issuer)
    ? [{ field: 'issuer', code: 'invalid_format', message: 'issuer must have no query and no fragment.' }]
    : [];

export function scopeErrors(scopes: readonly string[] | null = []): FieldError[] {
  if (scopes === null || scopes.length === 0) return [];
  const errors = scopes.flatMap((scope, index): FieldError[] =>
    SCOPE.test(scope)
      ? []
      : [
          {
            field: `scopes.${index}`,
            code: 'invalid_format',
            message: `scopes.${index} must be a word without spaces.`,
          },
        ],
  );
  if (!scopes.includes('openid'))
    errors.push({ field: 'scopes', code: 'invalid_value', message: 'scopes must contain openid.' });
  return errors;
}

export const domainErrors = (domains: readonly string[] | null = []): FieldError[] =>
  (domains ?? []).flatMap((domain, index): FieldError[] =>
    normalizeDomain(domain) === undefined
      ? [
          {
            field: `domains.${index}`,
            code: 'invalid_format',
            message: `domains.${index} must be a domain such as example.com.`,
          },
        ]
      : [],
  );

/** The claims as this service uses them; undefined without a usable subject. */
export function providerClaimsIn(claims: unknown, trustEmail: boolean): ProviderClaims | undefined {
  if (!isRecord(claims)) return undefined;
  const { sub, email, email_verified: verified, name, auth_time: at } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT || !isCleanText(sub)) return undefined;
  const isName = typeof name === 'string' && name.length <= 500 && isCleanText(name) && isVisibleLine(name);
  return {
    subject: sub,
    email: typeof email === 'string' ? normalizeEmail(email) : undefined,
    // Some providers send the word.
    isVerified: trustEmail || verified === true || verified === 'true',
    ...(isName && { name: name.trim() }),
    ...(typeof at === 'number' && { authenticatedAt: at }),
  };
}
