import { createHash, createHmac } from 'node:crypto';

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session token as the service signs it. */
export function tokenFor(secret, userId, sessionId) {
  const kid = createHash('sha256').update(`kid:${secret}`).digest('hex').slice(0, 8);
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now, exp: now + 86_400, aud: 'worksmith', iss: 'worksmith', sub: userId, jti: sessionId };
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
