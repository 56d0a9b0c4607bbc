import type { Answer } from './envelope.js';

/** Without what would lead to something that does not exist, or hold for a revision that another write may still get. */
export function dryRunAnswer({ status, headers, body }: Answer): Answer {
  const { location: _location, etag: _etag, ...others } = headers;
  return { status, headers: { ...others, 'dry-run': 'true' }, body };
}
