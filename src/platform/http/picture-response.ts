import { RawResponse } from './raw-response.js';

export const SVG_TYPE = 'image/svg+xml';

/** A picture, or the source of one, that runs and fetches nothing where it is shown as a page of its own. */
export const pictureResponse = (type: string, body: string): RawResponse =>
  new RawResponse(body, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
