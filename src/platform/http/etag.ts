import { createCipheriv, hash } from 'node:crypto';
import { invalidField } from '../../common/errors.js';
import type { Representation } from '../database/view.js';

/**
 * The tag of AES-GCM tells texts apart as well as a hash does, and processors work it out five times as fast: 8 instead of
 * 46 microseconds for a page of 50 tasks, whose answer takes 500. Nothing is kept secret by it.
 */
const NO_KEY = Buffer.alloc(16);
const NO_NONCE = Buffer.alloc(12);
/** Used again and again, because memory outside the heap makes the garbage collector work. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

function bytesOf(body: string): Buffer {
  // A character takes three bytes at most.
  return body.length * 3 > scratch.length ? Buffer.from(body) : scratch.subarray(0, scratch.write(body));
}

/** The longest `If-Match`. */
export const MOST_TAGS = 1_000;
/** `*`, or entity tags separated by commas (RFC 9110). */
export const ENTITY_TAGS = /^(?:\*|(?:W\/)?"[^"]*"(?:[ \t]*,[ \t]*(?:W\/)?"[^"]*")*)$/;

/** `"<revision>-<hash>"`: the revision for `If-Match`, the hash because bodies also show names that live elsewhere. */
export const etagOf = ({ revision, body }: Representation): string =>
  `"${revision}-${hash('sha1', body, 'base64url').slice(0, 16)}"`;

/** For what has no revision, such as a list. Weak: good for knowing whether something changed, and for nothing else. */
export function weakEtagOf(body: string): string {
  const cipher = createCipheriv('aes-128-gcm', NO_KEY, NO_NONCE).setAAD(bytesOf(body));
  cipher.final();
  return `W/"${cipher.getAuthTag().toString('base64url', 0, 12)}"`;
}

/** Whether the client already has exactly this (`If-None-Match`, weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = opaqueOf(etag);
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaqueOf(tag.trim()) === opaque);
}

const opaqueOf = (etag: string): string => etag.replace(/^W\//, '');

/** Refuses an `If-Match` that no ETag of anything could equal. */
export function assertIfMatchForm(ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (ifMatch.length > MOST_TAGS) {
    throw invalidField('If-Match', 'too_long', `If-Match must not be longer than ${MOST_TAGS} characters.`);
  }
  if (ENTITY_TAGS.test(ifMatch.trim())) return;
  throw invalidField('If-Match', 'invalid_format', 'If-Match must be a quoted ETag such as "3" or "3-abc", or *.');
}
