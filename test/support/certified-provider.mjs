/**
 * A certified OpenID provider as a program of its own, for tests: `node certified-provider.mjs <redirect uri> [<port>]` prints
 * its issuer. Whoever signs in as `ada` is ada@company.test; `ada@other.test` is that address, and a name that begins with
 * `unverified` has an address that is not verified.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [redirectUri, port = '0'] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' };

const claimsOf = (id) => ({
  sub: id,
  email: id.includes('@') ? id : `${id}@company.test`,
  email_verified: !id.startsWith('unverified'),
  name: `${id[0].toUpperCase()}${id.slice(1)} of the company`,
});

const server = createServer();
server.listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: 'worksmith',
        client_secret: 'a-client-secret-for-tests-only-0123456789',
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    cookies: { keys: ['a-cookie-key-for-tests-only'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
  });
  server.on('request', provider.callback());
  process.stdout.write(`${JSON.stringify({ issuer })}\n`);
});
// The test that started it ends it by closing its input, also if the test is killed.
process.stdin.resume().on('end', () => process.exit());
