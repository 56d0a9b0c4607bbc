import { hash } from 'node:crypto';
import type { Representation } from '../database/view.js';

/** `"<revision>-<hash>"`: the revision for `If-Match`, the hash because bodies also show names that live elsewhere. */
export function etagOf({ revision, body }: Representation): string {
  return `"${revision}-${hash('sha1', body, 'base64url').slice(0, 16)}"`;
}

/** Whether the client already has exactly this (`If-None-Match`, weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
