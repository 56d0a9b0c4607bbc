import { constants, createPublicKey, verify, type JsonWebKey, type VerifyKeyObjectInput } from 'node:crypto';
import { isRecord } from '../../../common/texts/json.js';
import type { JWK } from './provider-connections.js';

type Form = Pick<VerifyKeyObjectInput, 'padding' | 'saltLength' | 'dsaEncoding'>;

const PSS: Form = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const ECDSA: Form = { dsaEncoding: 'ieee-p1363' };

/** The accepted algorithms, all asymmetric, with the type of their keys (RFC 7518, RFC 8037). */
const ALGORITHMS: Record<string, { kty: string; crv?: string; hash: string | null; form?: Form } | undefined> = {
  RS256: { kty: 'RSA', hash: 'sha256' },
  RS384: { kty: 'RSA', hash: 'sha384' },
  RS512: { kty: 'RSA', hash: 'sha512' },
  PS256: { kty: 'RSA', hash: 'sha256', form: PSS },
  PS384: { kty: 'RSA', hash: 'sha384', form: PSS },
  PS512: { kty: 'RSA', hash: 'sha512', form: PSS },
  ES256: { kty: 'EC', crv: 'P-256', hash: 'sha256', form: ECDSA },
  ES384: { kty: 'EC', crv: 'P-384', hash: 'sha384', form: ECDSA },
  ES512: { kty: 'EC', crv: 'P-521', hash: 'sha512', form: ECDSA },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', hash: null },
};

/** A signed token (RFC 7515) whose signature is not checked yet. */
interface SignedToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The bytes that are signed. */
  signed: string;
  signature: string;
}

/** Reads a token; undefined if it is none. */
export function signedTokenIn(text: string): SignedToken | undefined {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text);
  if (parts === null) return undefined;
  const [, head, body, signature] = parts;
  try {
    const [header, claims] = [head, body].map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()));
    return isRecord(header) && isRecord(claims) ? { header, claims, signed: `${head}.${body}`, signature } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether one of the keys has signed the token; one that requires an extension (`crit`) counts as not signed. */
export function isSignedBy(keys: readonly JWK[], { header, signed, signature }: SignedToken): boolean {
  const algorithm = typeof header.alg === 'string' ? ALGORITHMS[header.alg] : undefined;
  if (algorithm === undefined || header.crit !== undefined) return false;
  const { kty, crv, hash, form = {} } = algorithm;
  return keys
    .filter((key) => key.kty === kty && (crv === undefined || key.crv === crv) && (key.use ?? 'sig') === 'sig')
    .filter((key) => (key.alg ?? header.alg) === header.alg && (header.kid === undefined || key.kid === header.kid))
    .some((key) => {
      try {
        const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
        return verify(hash, Buffer.from(signed), { key: publicKey, ...form }, Buffer.from(signature, 'base64url'));
      } catch {
        return false;
      }
    });
}
