import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Entry {
  action: string;
  actor_id: string | null;
  user_id: string | null;
  entity_id: string | null;
  organization_id: string | null;
  session_id: string | null;
  token_id: string | null;
  operation: string | null;
  code: string | null;
  reason: string | null;
  count: number;
  details: Record<string, unknown>;
  address: string | null;
  email: string | null;
}

let app: TestApp;
let admin: Person;
let ann: Person;
let home: string;
let garden: string;

const entriesOf = async (who: Person, query = ''): Promise<Entry[]> => {
  const { body } = await app.as(who).get(`/audit?limit=200${query}`).expect(200);
  return body.data as Entry[];
};

beforeAll(async () => {
  app = await TestApp.open();
  admin = await app.admin();
  ann = await app.person('Ann');
  home = await app.organization(ann);
  garden = await app.endeavour(ann, { organization_id: home });
});

afterAll(() => app.close());

describe('acts', () => {
  it('x', async () => {
    const bob = await app.person('Bob');
    await app.as(ann).post(`/organizations/${home}/invite`).send({});
    await app.as(admin).patch(`/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await app.as(null).post('/auth/login').send({ email: bob.email, password: PASSWORD }).expect(401);
    await app.as(ann).get('/users').expect(403);
    console.log(JSON.stringify(await entriesOf(admin), null, 1));
    console.log(JSON.stringify(await entriesOf(ann), null, 1), garden);
    console.log(JSON.stringify(await entriesOf(ann, '&mine=true'), null, 1), garden);
  });
});
