/** A header of responses, as the documents describe it. */
export interface ResponseHeader {
  description: string;
  example: string;
  /** Which responses carry it: all, or those with the given statuses (and methods, if not all). */
  sent: 'always' | { statuses: readonly number[]; methods?: readonly string[] };
}

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Every response header besides those of the connection and of helmet (`security-headers.ts`): its documentation, and
 * whether browsers of other origins may read it.
 */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description:
      'The id of the request: the one that you sent, or a generated one. Include it when you report a problem.',
    example: '0b0d5f0e-6b0c-4a53-9d0e-0d9ac1f0a6a1',
    sent: 'always',
  },
  'Cache-Control': {
    description: '`private, no-cache`, or `no-store` if the response contains a secret.',
    example: 'private, no-cache',
    sent: 'always',
  },
  Vary: {
    description: 'The request headers that the response depends on.',
    example: 'Accept, Accept-Encoding',
    sent: 'always',
  },
  RateLimit: {
    description: 'What is left of the limit that you are closest to: `r` requests in the next `t` seconds.',
    example: '"reads";r=5999;t=60',
    sent: 'always',
  },
  'RateLimit-Policy': {
    description: 'The limit that you are closest to: `q` requests per `w` seconds.',
    example: '"reads";q=6000;w=60',
    sent: 'always',
  },
  ETag: {
    description:
      'The version of the response. Send it as `If-None-Match` to receive 304 while nothing has changed. Send the ' +
      'ETag of a single entity as `If-Match` to update it only if it has not changed since. The response to a write can ' +
      'have another ETag than GET, which can show more; both are good for `If-Match`.',
    example: '"3-QmFzZTY0SGFzaA_x"',
    sent: { statuses: [200, 201, 304] },
  },
  'Content-Encoding': {
    description: 'The compression of a response over 4 kB, if `Accept-Encoding` allows one: `br` or `gzip`.',
    example: 'br',
    sent: 'always',
  },
  Link: {
    description: 'The next page of a list, as `rel="next"`; absent on the last page.',
    example: '</api/v1/tasks?cursor=AbC>; rel="next"',
    sent: { statuses: [200], methods: ['GET'] },
  },
  Location: {
    description: 'The URL of the created entity or of the started operation.',
    example: '/api/v1/tasks/tsk_01a2058a2753708eab9f22b2dd531f61',
    sent: { statuses: [201, 202], methods: WRITES },
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`. Secrets are not ' +
      'stored: they are null in it.',
    example: 'true',
    sent: { statuses: [200, 201, 202, 207], methods: ['POST', 'PATCH'] },
  },
  'Dry-Run': {
    description:
      '`true` if the request had `dry_run=true`: the response says what would have happened, and nothing has.',
    example: 'true',
    sent: { statuses: [200, 201, 207], methods: WRITES },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before you try again.',
    example: '30',
    sent: { statuses: [409, 429, 503] },
  },
  'WWW-Authenticate': {
    description:
      'The authentication scheme to use; with `error="invalid_token"` for a token that is not valid, and with ' +
      '`error="insufficient_scope"` and the `scope` that an access token needs (RFC 6750). `resource_metadata` is where programs ' +
      'of others find out how to get a token (RFC 9728).',
    example: 'Bearer realm="worksmith", error="insufficient_scope", scope="tasks:write"',
    sent: { statuses: [401, 403] },
  },
  Allow: {
    description: 'The methods that the path supports.',
    example: 'GET, HEAD, POST',
    sent: { statuses: [405] },
  },
  'Accept-Patch': {
    description: 'The media types that PATCH accepts.',
    example: 'application/json, application/merge-patch+json',
    sent: { statuses: [415] },
  },
  'Accept-Post': {
    description: 'The media types that POST accepts.',
    example: 'application/json',
    sent: { statuses: [415] },
  },
  'Accept-Encoding': {
    description: '`identity`: the body must not be compressed.',
    example: 'identity',
    sent: { statuses: [415] },
  },
  'Preference-Applied': {
    description: 'The preferences of `Prefer` that were honoured.',
    example: 'handling=lenient',
    sent: 'always',
  },
  'Content-Disposition': {
    description: 'The file name of CSV, NDJSON and exports.',
    example: 'attachment; filename="tasks.csv"',
    sent: { statuses: [] },
  },
} as const satisfies Record<string, ResponseHeader>;

/** The request headers that have a meaning; browsers of other origins may send them. */
export const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Accept-Language',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Prefer',
  'X-Request-Id',
  'Last-Event-ID',
] as const;
