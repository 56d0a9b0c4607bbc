import type { Kind } from '../../src/common/kinds.js';
import { kindOf } from '../../src/common/ids.js';
import { createEntityFixtures, type EntityFixtures } from '../access/references/entity-fixtures.js';
import { Authenticator } from '../support/authenticator.js';
import { linkedIdentity, PROVIDER } from '../support/identities.js';
import { signUp } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, unknown>;
}

type Ids = Partial<Record<Kind, string>>;

/** The status of examples that need a code, a token or an account which no example can contain. */
const REFUSED: Record<string, number> = {
  // The service of the tests has no store of files.
  artifacts_upload: 409,
  auth_verify: 400,
  auth_login: 401,
  auth_reset_password: 400,
  auth_email_verify: 400,
  auth_delete_account: 400,
  // No program asks for anything.
  auth_consents_create: 404,
  auth_consents_preview: 404,
  auth_consents_refuse: 404,
  auth_identities_create: 400,
  auth_oidc_finish: 401,
  // The address of the example is not in OIDC_REDIRECT_URIS.
  auth_oidc_start: 400,
  auth_passkeys_create: 400,
  auth_passkeys_login: 401,
  auth_totp_verify: 401,
  // The address of the example is not in OIDC_REDIRECT_URIS.
  auth_step_up_oidc_create: 400,
  auth_step_up: 400,
  auth_totp_enable: 400,
  auth_totp_disable: 400,
  auth_totp_recovery_codes_create: 400,
  invitations_accept: 400,
};

/** Operations that are sent last, in this order, because they close or move what others need. */
const LAST = [
  'auth_change_password',
  'resources_transfer',
  'endeavours_transfer',
  'endeavours_archive',
  'endeavours_unarchive',
  'organizations_archive',
  'organizations_unarchive',
];

describe('the examples of bodies', () => {
  let app: TestApp;
  let operations: Operation[];
  let mine: EntityFixtures;
  let callers: Record<string, Person | null>;
  let others: Record<string, Ids>;

  beforeAll(async () => {
    app = await TestApp.open();
    operations = Object.entries(app.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]) => ({ ...operation, method, path }) as Operation),
    );
    mine = await createEntityFixtures(app, 'Ann');
    const { owner, companion, team, things } = mine;
    await app.join(things.endeavour, companion, 'member');
    const admin = await app.admin();
    // Signs up with the password of the examples.
    const ann = { ...owner, ...(await signUp(app, 'Ann')) };
    callers = {
      auth_change_password: ann,
      auth_delete_account: ann,
      auth_email_change: ann,
      auth_register: null,
      users_create: admin,
      tiers_update: admin,
      oauth_clients_create: admin,
      oauth_clients_update: admin,
      oauth_registration_tokens_create: admin,
      dod_endorsements_create: companion,
    };
    const guest = await app.person('Guest');
    await app.join(things.organization, guest, 'guest');
    const made = async (who: Person, path: string, body: object): Promise<string> =>
      (await app.as(who).post(path).send(body).expect(201)).body.data.id;
    things.access_token = await made(owner, '/auth/tokens', { name: 'Main', scopes: ['*'] });
    const { body: options } = await app.as(owner).post('/auth/passkeys/options').expect(200);
    const credential = new Authenticator().create(options.data);
    things.passkey = await made(owner, '/auth/passkeys', { name: 'Laptop', credential });
    const provider = { ...PROVIDER, organization_id: things.organization };
    things.identity_provider = await made(owner, '/identity-providers', provider);
    const claim = { domain: 'riverside.example' };
    things.domain = await made(owner, `/organizations/${things.organization}/domains`, claim);
    things.scim_token = await made(owner, `/organizations/${things.organization}/scim-tokens`, { name: 'Directory' });
    const program = { name: 'Calendar', redirect_uris: ['https://app.example.com/callback'] };
    things.oauth_client = await made(admin, '/oauth-clients', program);
    things.identity = await linkedIdentity(app, owner, things.identity_provider);
    const agent = { user: await made(owner, '/agents', { name: 'Triage', organization_id: things.organization }) };
    const task = await app.task(companion, things.endeavour);
    const rejection = { entity_type: 'task', entity_id: task, verdict: 'rejected' };
    await app.as(owner).patch(`/tasks/${things.task}`).send({ description: 'The password is gate.' }).expect(200);
    await app
      .as(owner)
      .patch(`/tasks/${things.task}`)
      .send({ description: 'Green.', labels: ['bug'] })
      .expect(200);
    const { body: history } = await app.as(owner).get(`/tasks/${things.task}/changes`).expect(200);
    things.event = history.data[0].id;
    await app.task(companion, things.endeavour, { assignee_id: owner.id });
    const { body: notified } = await app.as(owner).get('/notifications?limit=1').expect(200);
    things.notification = notified.data[0].id;
    const { body: importing } = await app
      .as(owner)
      .post(`/imports?format=csv&endeavour_id=${things.endeavour}`)
      .set('Content-Type', 'text/csv')
      .send('title\nDig\n')
      .expect(202);
    await app.database.query(`UPDATE operations SET status = 'succeeded', finished_at = now() WHERE id = $1`, [
      importing.data.id,
    ]);
    things.import = importing.data.id.replace('opr_', 'imp_');
    others = {
      'agents_tokens_create path': agent,
      'agents_update path': agent,
      'approvals_dismiss path': { approval: await made(owner, '/approvals', rejection) },
      approvals_create: { task: await app.task(companion, things.endeavour) },
      endeavours_dod_policy_set: { dod_policy: mine.builtInPolicy },
      endeavours_members_add: { user: guest.id },
      'invitations_accept_own path': { invitation: mine.offered.invitation },
      organizations_members_add: { user: companion.id },
      'organizations_members_update path': { user: guest.id },
      'endeavours_members_update path': { user: companion.id },
      resources_reassign: { resource: companion.resourceId },
      tasks_review_requests_create: { resource: companion.resourceId },
      resources_members_add: { resource: companion.resourceId },
      'resources_members_add path': { resource: team },
    };
  });

  afterAll(() => app.close());

  /** The example with its ids replaced by those of existing entities. */
  const real = (value: unknown, operation: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => real(one, operation));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, real(one, operation)]));
    }
    const kind = typeof value === 'string' ? kindOf(value) : undefined;
    return kind === undefined ? value : (others[operation]?.[kind] ?? mine.things[kind] ?? value);
  };

  async function send({ operationId, method, path, parameters, requestBody }: Operation): Promise<string> {
    const asking = operationId in callers ? callers[operationId] : mine.owner;
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { example } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {};
      return String(real(example, `${operationId} path`));
    });
    const query = parameters
      .filter((one) => one.in === 'query' && one.required === true && one.name !== 'confirm')
      .map(({ name }) => `${name}=${name === 'organization_id' ? mine.things.organization : mine.things.endeavour}`);
    const body = real(requestBody?.content['application/json'].example, operationId);
    const call = app.as(asking)[method];
    const { status, text } = await call(`${target}?${query.join('&')}`).send(body as object);
    const isExpected = operationId in REFUSED ? status === REFUSED[operationId] : status < 300;
    return isExpected ? '' : `${operationId} ${status} ${JSON.stringify(body)} ${text}`;
  }

  const isCreation = ({ method, responses }: Operation): boolean => method === 'post' && '201' in responses;

  it('are accepted by all operations that create', async () => {
    const creations = operations.filter((one) => one.requestBody?.content['application/json'] && isCreation(one));
    expect(creations.length).toBeGreaterThan(25);
    const refused: string[] = [];
    for (const creation of creations) refused.push(await send(creation));
    expect(refused.filter(Boolean)).toEqual([]);
  });

  it('are accepted by all other operations', async () => {
    const place = ({ operationId }: Operation): number => LAST.indexOf(operationId);
    // The example of a file is sent with its own media type.
    const changes = operations.filter(
      (one) => one.requestBody?.content['application/json'] && !isCreation(one) && one.operationId !== 'imports_create',
    );
    expect(changes.length).toBeGreaterThan(40);
    const refused: string[] = [];
    for (const change of changes.sort((a, b) => place(a) - place(b))) refused.push(await send(change));
    expect(refused.filter(Boolean)).toEqual([]);
  });
});
