import { isRecord } from '../../../common/texts/json.js';
import { clientMetadataIn, InvalidMetadata, type ClientMetadata } from './client-metadata.rules.js';

const MAX_ADDRESS = 500;
/** Parts of a path that address another one. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

const MINUTE_MS = 60_000;
/** The bounds of the time for which a document is cached; its headers choose within them. */
const LEAST_MS = MINUTE_MS;
const MOST_MS = 60 * MINUTE_MS;

const invalid = (message: string): InvalidMetadata => new InvalidMetadata('invalid_client_metadata', message);

/**
 * Whether the id of a program is the address of a document about it: written as the URL parser writes it, so that one document
 * has one address, with a path, and without user name, fragment and dots. http is for programs on this machine.
 */
export function isDocumentAddress(id: string): boolean {
  if (id.length > MAX_ADDRESS || !/^https?:\/\/[\x21-\x7e]+$/.test(id) || !URL.canParse(id)) return false;
  const { href, username, password, pathname } = new URL(id);
  if (href !== id || id.includes('#') || username !== '' || password !== '' || pathname === '/') return false;
  return !pathname.split('/').some((part) => DOTS.test(part));
}

/** Reads the document of a program; throws {@link InvalidMetadata}. What everybody can read cannot contain a secret. */
export function clientDocumentIn(id: string, type: string | null, body: string): ClientMetadata {
  if (!/^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i.test(type ?? '')) throw invalid('The document must be JSON.');
  const document = parsed(body);
  if (!isRecord(document)) throw invalid('The document must be a JSON object.');
  if (document.client_id !== id) throw invalid('The client_id in the document must be its address.');
  if ('client_secret' in document) throw invalid('The document must not contain a secret.');
  const metadata = clientMetadataIn(document);
  if (metadata.authMethod !== 'none') throw invalid('token_endpoint_auth_method must be none.');
  return metadata;
}

/** How long a document counts as known: what its headers say, from a minute to an hour. */
export function freshFor(cacheControl: string | null): number {
  const seconds = Number(/(?:^|,)\s*max-age\s*=\s*(\d{1,9})/i.exec(cacheControl ?? '')?.[1] ?? 0);
  return Math.min(MOST_MS, Math.max(LEAST_MS, seconds * 1_000));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
