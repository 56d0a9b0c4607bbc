import { isIP } from 'node:net';
import { isEmail, isFQDN, ValidateBy } from 'class-validator';

/** A check of one setting whose message describes the accepted values. */
const check = (name: string, requirement: string, validate: (value: unknown) => boolean) => (): PropertyDecorator =>
  ValidateBy({
    name,
    validator: { validate, defaultMessage: ({ property } = { property: '' } as never) => `${property} ${requirement}` },
  });

/** An IP address or host name of this machine, without a port. */
export const IsHost = check(
  'isHost',
  'must be an IP address of this machine such as 127.0.0.1, or 0.0.0.0 for all of its addresses',
  (value) => typeof value === 'string' && (isIP(value) > 0 || isFQDN(value, { require_tld: false })),
);

/** Browser origins: scheme, host and port. A wildcard is not accepted, because the service authenticates by tokens. */
export const AreOrigins = check(
  'areOrigins',
  'must be a comma-separated list of origins such as https://app.example.org, without a path; * is not accepted',
  (value) => Array.isArray(value) && value.every(isOrigin),
);

/** Addresses of clients: https, http, or the scheme of an app such as org.example.app:/callback; without a fragment. */
export const AreRedirectUris = check(
  'areRedirectUris',
  'must be a comma-separated list of addresses such as https://app.example.org/callback, without #',
  (value) => Array.isArray(value) && value.every(isRedirectUri),
);

/** The address of an S3-compatible store, without a bucket. */
export const IsStoreEndpoint = check(
  'isStoreEndpoint',
  'must have the form https://s3.example.org or http://minio:9000, without a path',
  (value) => typeof value === 'string' && isOrigin(value),
);

/** IP addresses, with a port if it is not 53. */
export const AreNameServers = check(
  'areNameServers',
  'must be a comma-separated list of IP addresses such as 10.0.0.53 or 10.0.0.53:5353',
  (value) => Array.isArray(value) && value.every(isNameServer),
);

/** Headers: names and values, of which the values can be percent-encoded. */
export const ArePairs = check(
  'arePairs',
  'must be a comma-separated list such as authorization=Bearer%20key,x-tenant=us',
  (value) => typeof value === 'string' && (value === '' || value.split(',').every(isPair)),
);

/** `me@example.org` or `My Name <me@example.org>`. */
export const IsSender = check(
  'isSender',
  'must be an e-mail address such as worksmith@example.org or Worksmith <worksmith@example.org>',
  (value) => {
    if (typeof value !== 'string' || /[\r\n]/.test(value)) return false;
    const [, address = value] = /^[^<>]*<([^<>]+)>$/.exec(value) ?? [];
    return isEmail(address, { require_tld: false });
  },
);

const isPair = (text: string): boolean => /^\s*[\w-]+\s*=(?:[^%\s]|%[0-9a-f]{2}| (?=\S))*\s*$/i.test(text);

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol } = new URL(text);
  return /^(?:https?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):$/.test(protocol);
}

function isNameServer(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const [, address = text, port = '53'] =
    /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return isIP(address) > 0 && Number(port) > 0 && Number(port) <= 65_535;
}
