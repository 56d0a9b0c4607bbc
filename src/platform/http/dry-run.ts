import type { CompleteResponse } from './envelope.js';

/** Removes headers that refer to the entity that was not created, or to a revision that another write can still get. */
export function dryRunResponse({ status, headers, body }: CompleteResponse): CompleteResponse {
  const { location: _location, etag: _etag, ...others } = headers;
  return { status, headers: { ...others, 'dry-run': 'true' }, body };
}
