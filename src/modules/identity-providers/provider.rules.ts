import type { FieldError } from '../../common/errors.js';
import { normalizeDomain } from '../../common/network/domains.js';
import { normalizeEmail } from '../../common/network/email.js';
import { isRecord } from '../../common/texts/json.js';
import { isCleanText, isVisibleLine } from '../../common/texts/text.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { MAX_SUBJECT } from './identities/identity.entity.js';

export const MAX_PROVIDERS = 20;
export const CLOCK_TOLERANCE_SECONDS = 60;

const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
/** Issuers under which many companies, or everybody, have accounts. */
const SHARED_ISSUER =
  /^https:\/\/(?:accounts\.google\.com|login\.microsoftonline\.com\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad))(?:\/|$)/;

type GroupSettings = Pick<IdentityProvider, 'organizationId' | 'groupsClaim' | 'groupRoles' | 'required'>;

/** Who the provider says has signed in. */
export interface ProviderClaims {
  subject: string;
  /** In canonical form; undefined if there is none, or none that can be used. */
  email?: string;
  isVerified: boolean;
  name?: string;
  /** The groups of the person; undefined if the provider does not list all of them. */
  groups?: readonly string[];
  /** What the provider calls the session; undefined if it does not say. */
  sid?: string;
  /** Where a browser ends that session; undefined if the provider has no such page. */
  endSessionUrl?: string;
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

/** The errors of what only providers of organizations can do, and of groups that are named twice. */
export function groupErrors({ organizationId, groupsClaim, groupRoles, required }: GroupSettings): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string): void =>
    void errors.push({ field, code: 'invalid_value', message: `${field} ${message}` });
  const isSet = { groups_claim: groupsClaim !== null, group_roles: groupRoles.length > 0, required };
  for (const [field, isOn] of Object.entries(isSet)) {
    if (isOn && organizationId === null) refuse(field, 'is only for providers of an organization.');
  }
  groupRoles.forEach(({ group }, index) => {
    const isRepeated = groupRoles.findIndex((other) => other.group === group) < index;
    if (isRepeated) refuse(`group_roles.${index}.group`, 'repeats an earlier one.');
  });
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

/** Whether it can be what a provider calls a person or a session. */
export const isWord = (text: string): boolean => text !== '' && text.length <= MAX_SUBJECT && isCleanText(text);

/** The claims as this service uses them; undefined without a usable subject. */
export function providerClaimsIn(
  claims: unknown,
  { trustEmail, groupsClaim }: Pick<IdentityProvider, 'trustEmail' | 'groupsClaim'>,
): ProviderClaims | undefined {
  if (!isRecord(claims)) return undefined;
  const { sub, sid, email, email_verified: verified, name, auth_time: at } = claims;
  if (typeof sub !== 'string' || !isWord(sub)) return undefined;
  const isName = typeof name === 'string' && name.length <= 500 && isCleanText(name) && isVisibleLine(name);
  return {
    subject: sub,
    email: typeof email === 'string' ? normalizeEmail(email) : undefined,
    // Some providers send the word.
    isVerified: trustEmail || verified === true || verified === 'true',
    groups: groupsIn(claims, groupsClaim),
    ...(typeof sid === 'string' && isWord(sid) && { sid }),
    ...(isName && { name: name.trim() }),
    ...(typeof at === 'number' && { authenticatedAt: at }),
  };
}

/**
 * The groups in the claim, also if it is a single one. Too many are left out by some providers, which then name where they are
 * (`_claim_names`) or say that there are some (`hasgroups`).
 */
function groupsIn(claims: Record<string, unknown>, name: string | null): readonly string[] | undefined {
  if (name === null || claims.hasgroups !== undefined) return undefined;
  const { [name]: value, _claim_names: elsewhere } = claims;
  if (isRecord(elsewhere) && name in elsewhere) return undefined;
  const groups = typeof value === 'string' ? [value] : value;
  return Array.isArray(groups) && groups.every((group) => typeof group === 'string') ? groups : undefined;
}
