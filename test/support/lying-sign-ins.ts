import type { LyingProvider } from './lying-provider.js';
import { CALLBACK } from './openid-provider.js';
import type { Person, TestApp } from './test-app.js';

/** Settings with which an app takes a provider on loopback. */
export const LOOPBACK_PROVIDERS = {
  LIMIT_EXEMPT_ADDRESSES: '127.0.0.1',
  OIDC_REDIRECT_URIS: CALLBACK,
  IDENTITY_ALLOW: '127.0.0.0/8',
};

/** Signs in at the provider with those claims, and returns the response to the client that finishes. */
export async function finishAt(app: TestApp, liar: LyingProvider, provider: string, claims: Record<string, unknown>) {
  const sent = { redirect_uri: CALLBACK };
  const { body } = await app.as(null).post(`/auth/oidc/${provider}/start`).send(sent).expect(200);
  const { authorization_url: url, flow_token } = body.data;
  return app
    .as(null)
    .post('/auth/oidc/finish')
    .send({ flow_token, ...liar.signIn(url, claims) });
}

/** The same for a sign-in that succeeds; returns the person with the new session. */
export async function signInAt(
  app: TestApp,
  liar: LyingProvider,
  provider: string,
  claims: Record<string, unknown>,
): Promise<Person> {
  const { status, body } = await finishAt(app, liar, provider, claims);
  if (status !== 200) throw new Error(`the sign-in was answered with ${status}: ${JSON.stringify(body)}`);
  const { user_id: id, token, name, email } = body.data;
  const { body: me } = await app
    .as({ token } as Person)
    .get('/auth/whoami')
    .expect(200);
  return { id, token, name, email, resourceId: me.data.resource_id };
}
