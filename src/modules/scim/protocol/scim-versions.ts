import { ApiError } from '../../../common/errors.js';
import type { ScimDocument } from './scim-documents.js';

/** A resource, and its entity tag. */
export interface Tagged {
  document: ScimDocument;
  version: string;
}

/** Entity tags are compared weakly: representations of one revision mean the same. */
const plain = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-Match` or `If-None-Match` names the version. */
export const namesVersion = (tags: string, version: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => plain(tag) === plain(version));

/** 412 unless `If-Match` names the version. */
export function assertVersion(version: string, ifMatch: string | undefined): void {
  if (ifMatch === undefined || namesVersion(ifMatch, version)) return;
  throw new ApiError('precondition_failed', 'The resource has changed since you read it.');
}
