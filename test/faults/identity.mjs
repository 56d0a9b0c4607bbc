import { randomBytes } from 'node:crypto';
import { call } from './support/http.mjs';
import { Keycloak, obtainKeycloak } from './support/keycloak.mjs';
import { Service } from './support/service.mjs';

export const title =
  'Signs people in with Keycloak: groups, sign-outs, new keys, and a provider that is down and comes back. Needs Java and Maven.';

const CALLBACK = 'http://127.0.0.1:9/callback';
const CLIENT = { id: 'worksmith', secret: randomBytes(24).toString('hex') };
const PASSWORD = randomBytes(12).toString('hex');
/** Keycloak leaves out a claim without groups, which says nothing; so everybody is in one that gives no role. */
const PEOPLE = [
  { name: 'grace', groups: ['leads', 'staff'], password: PASSWORD },
  { name: 'hedy', groups: ['staff'], password: PASSWORD },
  { name: 'mallory', isVerified: false, password: PASSWORD },
];
/** A provider that does not know the new key yet is asked again after ten seconds at most. */
const SIGN_INS_AFTER_ROTATION = 3;

/** Runs the scenes one after the other, each with what it has to show. */
export async function run({ say }) {
  const folder = await obtainKeycloak(say);
  const service = await Service.start({
    environment: { OIDC_REDIRECT_URIS: CALLBACK, IDENTITY_ALLOW: '127.0.0.0/8' },
  });
  const keycloak = await Keycloak.prepare(folder);
  const company = await companyOf(service, keycloak.issuer);
  keycloak.import({
    callback: CALLBACK,
    logout: `${service.base}/api/v1/auth/oidc/${company.provider}/logout`,
    client: CLIENT,
    people: PEOPLE,
  });
  say('starting Keycloak');
  await keycloak.launch();
  const figures = [];
  const expect = (figure, reached, bar) => {
    figures.push({ figure, reached, bar, passed: reached === bar });
    say(`${figure}: ${reached}`);
  };
  const enter = async (name) => finish(service, await begin(company, keycloak, name));
  const roleOf = async ({ token }) =>
    (await call(service.base, 'GET', '/api/v1/auth/whoami', { token })).body.data?.organizations[company.organization];
  const isSignedIn = async ({ token }) => (await call(service.base, 'GET', '/api/v1/auth/whoami', { token })).status;

  expect('the test of the provider', (await company.test()).ok ? 'passed' : 'failed', 'passed');
  const grace = await enter('grace');
  expect('a sign-in of an unknown person', grace.status, 200);
  expect('the role that a group gives', await roleOf(grace), 'admin');
  const hedy = await enter('hedy');
  expect('the role without a group', await roleOf(hedy), 'member');
  expect('an address that is not verified', (await enter('mallory')).reason, 'identity_unknown');

  const [{ id: leads }] = await keycloak.administer('GET', '/groups?search=leads');
  const graceId = await keycloak.idOf('grace');
  await keycloak.administer('DELETE', `/users/${graceId}/groups/${leads}`);
  expect('the role after the group was left', (await roleOf(await enter('grace'))) ?? 'none', 'none');
  await keycloak.administer('PUT', `/users/${graceId}/groups/${leads}`);
  const again = await enter('grace');
  expect('the role after the group was joined again', await roleOf(again), 'admin');

  await keycloak.administer('POST', `/users/${graceId}/logout`);
  expect('the session after a sign-out there', await isSignedIn(again), 401);
  expect('the session of another person', await isSignedIn(hedy), 200);

  await keycloak.rotate();
  const rotated = [];
  for (let n = 0; n < SIGN_INS_AFTER_ROTATION; n += 1) rotated.push((await enter('hedy')).status);
  expect('sign-ins after the keys were changed', rotated.join(', '), '200, 200, 200');

  const begun = await begin(company, keycloak, 'hedy');
  await keycloak.stop();
  expect(
    'a sign-in that it cannot confirm while it is down',
    (await finish(service, begun)).reason,
    'provider_unreachable',
  );
  expect('the test of the provider meanwhile', (await company.test()).ok ? 'passed' : 'failed', 'failed');
  expect('the session of before', await isSignedIn(hedy), 200);
  expect('the service is ready', (await call(service.base, 'GET', '/health/ready')).status, 200);
  await keycloak.launch();
  expect('a sign-in after it is back', (await enter('hedy')).status, 200);
  await keycloak.stop();
  await service.stop();
  return figures;
}

/** An organization with a proved domain, and its provider. */
async function companyOf(service, issuer) {
  const administrator = await service.signIn();
  const { id: organization } = await administrator.post('/organizations', { name: 'Company' });
  const { id: provider } = await administrator.post('/identity-providers', {
    name: 'Keycloak',
    issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    organization_id: organization,
    domains: ['company.test'],
    jit: true,
    groups_claim: 'groups',
    group_roles: [{ group: 'leads', role: 'admin' }],
  });
  const start = async () => {
    const path = `/api/v1/auth/oidc/${provider}/start`;
    const { status, body } = await call(service.base, 'POST', path, { body: { redirect_uri: CALLBACK } });
    return { status, reason: body.error?.details?.reason, ...body.data };
  };
  return { organization, provider, start, test: () => administrator.post(`/identity-providers/${provider}/test`, {}) };
}

/** Signs in at the provider, and returns what the client finishes with. */
async function begin(company, keycloak, name) {
  const { authorization_url: address, flow_token } = await company.start();
  const { state, code, iss } = await keycloak.signIn(address, name, PASSWORD);
  return { flow_token, state, code, iss };
}

/** Finishes the sign-in; returns the status and the token, or the reason of the refusal. */
async function finish(service, body) {
  const { status, body: answer } = await call(service.base, 'POST', '/api/v1/auth/oidc/finish', { body });
  return { status, token: answer.data?.token, reason: answer.error?.details?.reason };
}
