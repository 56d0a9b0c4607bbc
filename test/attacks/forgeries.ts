import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';

type Header = Record<string, unknown>;
type Claims = Record<string, unknown>;

/** A token that the service issued, decoded. */
export interface Token {
  text: string;
  header: Header;
  claims: Claims;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

export function read(text: string): Token {
  const [header, claims] = text.split('.');
  return { text, header: decode(header), claims: decode(claims) };
}

/** Signs a header and claims that are already encoded. */
const signText = (parts: string, key: string, hash = 'sha256'): string =>
  `${parts}.${createHmac(hash, key).update(parts).digest('base64url')}`;

export const sign = (header: Header, claims: Claims, key: string, hash?: string): string =>
  signText(`${encode(header)}.${encode(claims)}`, key, hash);

/** Tokens that an attacker can make without the key, from a token of their own and one of another user. */
export function withoutTheKey(own: string, foreign: string): Record<string, string> {
  const { header, claims } = read(own);
  const [head, body, signature] = own.split('.');
  const [, foreignBody, foreignSignature] = foreign.split('.');
  const none = (alg: string, tail = '') => `${encode({ ...header, alg })}.${body}.${tail}`;
  const claiming = (changes: Claims) => `${head}.${encode({ ...claims, ...changes })}.${signature}`;
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const rsa = `${encode({ ...header, alg: 'RS256', jwk: pair.publicKey.export({ format: 'jwk' }) })}.${body}`;
  const guessed = (key: string) => sign(header, claims, key);
  const named = (more: Header, key = 'x') => sign({ ...header, ...more }, claims, key);
  return {
    'alg none': none('none'),
    'alg None': none('None'),
    'alg NONE': none('NONE'),
    'alg nOnE': none('nOnE'),
    'alg none with the old signature': none('none', signature),
    'alg empty': none('', signature),
    'alg null': `${encode({ ...header, alg: null })}.${body}.${signature}`,
    'alg as a list': `${encode({ ...header, alg: ['HS256', 'none'] })}.${body}.${signature}`,
    'no alg': `${encode({ typ: 'JWT', kid: header.kid })}.${body}.${signature}`,
    'no signature': `${head}.${body}`,
    'an empty signature': `${head}.${body}.`,
    'no header': `.${body}.${signature}`,
    'no claims': `${head}..${signature}`,
    'nothing but dots': '..',
    'one word': 'token',
    'three letters': 'a.b.c',
    'the header alone': head,
    'the name of the scheme': 'Bearer',
    'a fourth part': `${own}.${signature}`,
    'five parts, as if encrypted': `${head}..${body}.${signature}.${signature}`,
    'an unsecured tail': `${own}.`,
    'signed with another key': guessed('another-signing-key-of-the-right-length-0'),
    'signed with an empty key': guessed(''),
    'signed with the word secret': guessed('secret'),
    'signed with the key id': guessed(String(header.kid)),
    'signed with the issuer': guessed('worksmith'),
    'signed with the public half of a key pair': sign({ ...header, alg: 'HS256' }, claims, publicKey),
    'signed with a key pair that the token brings along': `${rsa}.${createSign('sha256').update(rsa).sign(pair.privateKey).toString('base64url')}`,
    'said to be signed by RS256': `${encode({ ...header, alg: 'RS256' })}.${body}.${signature}`,
    'said to be signed by ES256 with zeros': `${encode({ ...header, alg: 'ES256' })}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'HS384 with another key': sign({ ...header, alg: 'HS384' }, claims, 'x', 'sha384'),
    'HS512 with another key': sign({ ...header, alg: 'HS512' }, claims, 'x', 'sha512'),
    'no kid': sign({ alg: 'HS256', typ: 'JWT' }, claims, 'x'),
    'an unknown kid': named({ kid: '00000000' }),
    'a kid of null': named({ kid: null }),
    'a kid that is a path to an empty file': named({ kid: '../../../../dev/null' }, ''),
    'a kid that is SQL': named({ kid: "' UNION SELECT 'x' --" }),
    'a kid that every object has': named({ kid: '__proto__' }),
    'a kid that every object can do': named({ kid: 'constructor' }),
    'a kid that is a list': named({ kid: [header.kid] }),
    'a kid that is an object': named({ kid: { toString: header.kid } }),
    'a kid that is a number': named({ kid: 0 }),
    'a key of its own in jwk': named({ jwk: { kty: 'oct', k: Buffer.from('x').toString('base64url') } }),
    'a place of its own for keys': named({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/keys' }),
    'a critical extension': named({ crit: ['b64'], b64: false }),
    'compressed claims': named({ zip: 'DEF' }),
    'another user as subject': claiming({ sub: read(foreign).claims.sub }),
    'the session of another user': claiming({ jti: read(foreign).claims.jti }),
    'a later end': claiming({ exp: Number(claims.exp) + 3600 }),
    'no end': claiming({ exp: undefined }),
    'a right of its own': claiming({ is_admin: true }),
    'the claims of another token': `${head}.${foreignBody}.${signature}`,
    'the signature of another token': `${head}.${body}.${foreignSignature}`,
    'a signature cut by one': own.slice(0, -1),
    'a signature cut to half': `${head}.${body}.${signature.slice(0, 22)}`,
    'a signature twice': `${own}${signature}`,
    'a signature with its last bits changed': withLastBits(own),
    'a signature with one letter changed': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'a signature in capitals': `${head}.${body}.${signature.toUpperCase()}`,
    'a signature in plain base64': `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    'a signature in hexadecimal': `${head}.${body}.${Buffer.from(signature, 'base64url').toString('hex')}`,
    'a signature with padding': `${own}=`,
    'everything in small letters': own.toLowerCase(),
    'everything backwards': [...own].toReversed().join(''),
    'swapped parts': `${body}.${head}.${signature}`,
    'percent signs for dots': own.replaceAll('.', '%2E'),
    'quotes around it': `"${own}"`,
    'a comma and another token': `${own},${foreign}`,
    'claims named twice, the last one of another user': `${head}.${twice(claims, read(foreign).claims)}.${signature}`,
    'characters that look like others': own.replaceAll('e', '\u0435'),
    'a letter from beyond Latin-1 encoded in it': `${head}.${encode({ ...claims, sub: '\u{1f511}' })}.${signature}`,
    'claims that are not an object': `${head}.${encode('claims')}.${signature}`,
    'claims that are null': `${head}.${encode(null)}.${signature}`,
    'claims that are broken JSON': `${head}.${Buffer.from('{"sub":').toString('base64url')}.${signature}`,
    'claims nested very deep': `${head}.${Buffer.from('['.repeat(5_000)).toString('base64url')}.${signature}`,
    'a header that is null': `${encode(null)}.${body}.${signature}`,
    'a header that is broken JSON': `${Buffer.from('{"alg"').toString('base64url')}.${body}.${signature}`,
    'ten thousand letters': 'a'.repeat(10_000),
    'ten thousand dots': '.'.repeat(10_000),
    'claims of ten thousand letters': `${head}.${'a'.repeat(10_000)}.${signature}`,
  };
}

/** Tokens with a valid signature that must still be rejected, as if the key were also used for another purpose. */
export function withTheKey(own: string, foreign: string, key: string): Record<string, string> {
  const { header, claims } = read(own);
  const now = Math.floor(Date.now() / 1000);
  const claiming = (changes: Claims) => sign(header, { ...claims, ...changes }, key);
  const { sub, jti } = read(foreign).claims;
  return {
    'has expired': claiming({ exp: now - 1 }),
    'expires as a word': claiming({ exp: 'never' }),
    'never expires': claiming({ exp: undefined }),
    'is not valid yet': claiming({ nbf: now + 3600 }),
    'is valid from a word on': claiming({ nbf: 'now' }),
    'has another issuer': claiming({ iss: 'other' }),
    'has no issuer': claiming({ iss: undefined }),
    'has another audience': claiming({ aud: 'other' }),
    'has no audience': claiming({ aud: undefined }),
    'is for an empty list': claiming({ aud: [] }),
    'names no session': claiming({ jti: undefined }),
    'names a session that never was': claiming({ jti: `ses_${'0'.repeat(32)}` }),
    'names a list of sessions': claiming({ jti: [claims.jti] }),
    'names an object as session': claiming({ jti: { $ne: null } }),
    'names text as session that no database takes': claiming({ jti: 'ses_\u0000' }),
    'names no user': claiming({ sub: undefined }),
    'names another user': claiming({ sub }),
    'names a session of another user': claiming({ jti }),
    'is signed by HS512': sign({ ...header, alg: 'HS512' }, claims, key, 'sha512'),
    'is signed by HS384': sign({ ...header, alg: 'HS384' }, claims, key, 'sha384'),
    'names no key': sign({ alg: 'HS256', typ: 'JWT' }, claims, key),
    'names another key': sign({ ...header, kid: '00000000' }, claims, key),
    'has a critical extension': sign({ ...header, crit: ['b64'], b64: false }, claims, key),
    'holds a list': signText(`${encode(header)}.${encode([claims])}`, key),
    'holds text': signText(`${encode(header)}.${encode('claims')}`, key),
    'names its user twice': signText(`${encode(header)}.${twice(claims, { sub })}`, key),
  };
}

/** Encodes claims in which names occur twice; JSON parsers take the last. */
const twice = (first: Claims, then: Claims): string =>
  Buffer.from(`${JSON.stringify(first).slice(0, -1)},${JSON.stringify(then).slice(1)}`).toString('base64url');

/** 43 characters hold 258 bits, of which 256 count: another last character can encode the same signature. */
function withLastBits(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${token.slice(0, -1)}${letters[letters.indexOf(token.slice(-1)) ^ 1]}`;
}
