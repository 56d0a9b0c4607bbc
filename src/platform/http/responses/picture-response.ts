import { RawResponse } from './raw-response.js';

export const SVG_TYPE = 'image/svg+xml';

/** A picture, or its source, with headers that prevent scripts and requests if it is opened as a page. */
export const pictureResponse = (type: string, body: string): RawResponse =>
  new RawResponse(body, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
