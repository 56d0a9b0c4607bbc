import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.js';

const MAX_AGE_SECONDS = 7_200;

/** How browsers of the given origins may call (CORS); a preflight holds for two hours, the longest that browsers keep it. */
export const corsFor = (origin: string[]) => ({
  origin,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [...REQUEST_HEADERS],
  exposedHeaders: Object.keys(ANSWER_HEADERS),
  maxAge: MAX_AGE_SECONDS,
  strictPreflight: false,
  // After the hooks of `onRequest`, which give every answer its headers and answer OPTIONS of other sorts.
  hook: 'preParsing' as const,
});
