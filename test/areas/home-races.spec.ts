import { race } from '../support/races.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('homes of endeavours, under concurrent requests', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '1000' });
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
  });

  afterAll(() => app.close());

  const company = async () => {
    const home = await app.organization(ann);
    await app.join(home, bob, 'admin');
    const mia = await app.person('Mia');
    const garden = await app.endeavour(ann, { organization_id: home });
    return { home, mia, garden };
  };
  const dismiss = (home: string, person: Person, by = ann) =>
    app.as(by).delete(`/organizations/${home}/members/${person.id}`);
  const sees = async (person: Person, endeavour: string): Promise<boolean> =>
    (await app.as(person).get(`/endeavours/${endeavour}`)).status === 200;

  race('leave no access to a user who is removed while they are added to an endeavour', 15, async () => {
    const { home, mia, garden } = await company();
    await app.join(home, mia, 'member');
    const add = app.as(bob).post(`/endeavours/${garden}/members`).send({ user_id: mia.id, role: 'admin' });
    const [added, dismissed] = await Promise.all([add, dismiss(home, mia)]);
    expect(dismissed.status).toBe(200);
    expect([201, 400, 403]).toContain(added.status);
    expect(await sees(mia, garden)).toBe(false);
  });

  race('leave no access to a user who is removed while linking an endeavour to another organization', 15, async () => {
    const { home, mia, garden } = await company();
    await app.join(home, mia, 'owner');
    const shell = await app.organization(mia);
    const link = app.as(mia).post(`/organizations/${shell}/endeavours`).send({ endeavour_id: garden });
    const [linked, dismissed] = await Promise.all([link, dismiss(home, mia)]);
    expect(dismissed.status).toBe(200);
    expect([200, 400, 403]).toContain(linked.status);
    expect(await sees(mia, garden)).toBe(false);
  });

  race('leave no endeavour without an owner when it loses its home and its direct owner', 15, async () => {
    const { home, garden } = await company();
    const unlink = app.as(ann).delete(`/organizations/${home}/endeavours/${garden}`);
    const leave = app.as(ann).delete(`/endeavours/${garden}/members/${ann.id}`);
    const [unlinked, left] = await Promise.all([unlink, leave]);
    expect([unlinked.status, left.status].sort()).toEqual([200, 409]);
  });

  race('give an endeavour without a home to one of two organizations that link it', 15, async () => {
    const [one, two] = [await app.organization(ann), await app.organization(ann)];
    const garden = await app.endeavour(ann);
    const link = (organization: string) =>
      app.as(ann).post(`/organizations/${organization}/endeavours`).send({ endeavour_id: garden }).expect(200);
    await Promise.all([link(one), link(two)]);
    const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
    expect([one, two]).toContain(body.data.organization_id);
    expect(body.data.organizations).toHaveLength(2);
  });

  race('end with one home when an endeavour is transferred twice at once', 15, async () => {
    const { garden } = await company();
    const targets = [await app.organization(ann), await app.organization(ann)];
    const transfer = (to: string) =>
      app.as(ann).post(`/endeavours/${garden}/transfer`).send({ organization_id: to }).expect(200);
    await Promise.all(targets.map(transfer));
    const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
    expect(targets).toContain(body.data.organization_id);
    expect(body.data.organizations).toEqual([{ id: body.data.organization_id, name: 'Riverside' }]);
  });

  race('move an endeavour when the second of two owners requests the transfer at the same time', 15, async () => {
    const { home, mia, garden } = await company();
    await app.join(home, mia, 'owner');
    const target = await app.organization(await app.person('Pia'));
    for (const person of [ann, mia]) await app.join(target, person, 'admin');
    const transfer = (by: Person) =>
      app.as(by).post(`/endeavours/${garden}/transfer`).send({ organization_id: target });
    const responses = await Promise.all([transfer(ann), transfer(mia)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
    expect(body.data.organizations).toEqual([{ id: target, name: 'Riverside' }]);
  });
});
