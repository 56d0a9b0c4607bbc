import { createCipheriv, hash } from 'node:crypto';
import { invalidField } from '../../../common/errors.js';
import type { Representation } from '../../database/views/view.js';

/**
 * The tag of AES-GCM distinguishes texts as well as a hash, and is computed five times as fast: 8 instead of 46
 * microseconds for a page of 50 tasks, whose response takes 500. It is not used for secrecy.
 */
const NO_KEY = Buffer.alloc(16);
const NO_NONCE = Buffer.alloc(12);

/** The longest `If-Match`. */
export const MAX_TAGS = 1_000;
/** `*`, or entity tags separated by commas (RFC 9110). */
export const ENTITY_TAGS = /^(?:\*|(?:W\/)?"[^"]*"(?:[ \t]*,[ \t]*(?:W\/)?"[^"]*")*)$/;

/**
 * `"<revision>-<hash>"`: the revision for `If-Match`, and the hash because bodies also contain names of other entities.
 * The same for a write as for the GET that follows; undefined if that is not known, or there is no revision.
 */
export const etagOf = ({ revision, whenRead }: Representation): string | undefined =>
  revision === null || whenRead === null
    ? undefined
    : `"${revision}-${hash('sha1', whenRead, 'base64url').slice(0, 16)}"`;

/** For responses without a revision, such as lists. Weak, so it only tells whether something changed. */
export function weakEtagOf(body: string | Buffer): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const cipher = createCipheriv('aes-128-gcm', NO_KEY, NO_NONCE).setAAD(bytes);
  cipher.final();
  return `W/"${cipher.getAuthTag().toString('base64url', 0, 12)}"`;
}

/** Whether the client already has this version (`If-None-Match`, weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = opaqueOf(etag);
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaqueOf(tag.trim()) === opaque);
}

const opaqueOf = (etag: string): string => etag.replace(/^W\//, '');

/** Rejects an `If-Match` that no ETag can match. */
export function assertIfMatchForm(ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (ifMatch.length > MAX_TAGS) {
    throw invalidField('If-Match', 'too_long', `If-Match must not be longer than ${MAX_TAGS} characters.`);
  }
  if (ENTITY_TAGS.test(ifMatch.trim())) return;
  throw invalidField('If-Match', 'invalid_format', 'If-Match must be a quoted ETag such as "3" or "3-abc", or *.');
}
