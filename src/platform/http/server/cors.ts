import { RESPONSE_HEADERS, REQUEST_HEADERS } from '../responses/headers.js';

const MAX_AGE_SECONDS = 7_200;

/** The CORS options for the given origins; a preflight is valid for two hours, the maximum of browsers. */
export const corsFor = (origin: string[]) => ({
  origin,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [...REQUEST_HEADERS],
  exposedHeaders: Object.keys(RESPONSE_HEADERS),
  maxAge: MAX_AGE_SECONDS,
  strictPreflight: false,
  // Runs after the `onRequest` hooks, which set the headers of every response and handle other OPTIONS requests.
  hook: 'preParsing' as const,
});
