import { FirstAdministrator } from '../../src/modules/auth/first-administrator.js';
import { Settings } from '../../src/platform/config/settings.js';
import { House } from '../support/house.js';

const houses: House[] = [];
async function open(environment: Record<string, string> = {}): Promise<House> {
  const house = await House.open(environment);
  houses.push(house);
  return house;
}
afterAll(() => Promise.all(houses.map((house) => house.close())));

const door = (house: House) => house.app.get(FirstAdministrator, { strict: false });
const login = (house: House, email: string, password = '') =>
  house.as(null).post('/auth/login').send({ email, password });
const administrators = (house: House) => house.database.query('SELECT email FROM users WHERE is_admin ORDER BY email');

describe('the first administrator', () => {
  it('is made once with a password that is told once', async () => {
    const house = await open();
    const outcomes = await Promise.all([door(house).ensure(), door(house).ensure(), door(house).ensure()]);
    const made = outcomes.filter((outcome) => outcome !== undefined);
    expect(made).toEqual([{ email: 'admin@worksmith.example', password: expect.stringMatching(/^[\w-]{20}$/) }]);
    expect(await door(house).ensure()).toBeUndefined();
    const { body } = await login(house, made[0].email, made[0].password).expect(200);
    const { body: list } = await house.as(body.data).get('/users').expect(200);
    expect(list.meta.total).toBe(1);
  });

  it('comes from ADMIN_EMAIL and ADMIN_PASSWORD, and is left alone once it is there', async () => {
    const house = await open({ ADMIN_EMAIL: 'Boss@Example.test', ADMIN_PASSWORD: 'three wooden ladders' });
    expect(await door(house).ensure()).toEqual({ email: 'boss@example.test' });
    expect(await door(house).ensure()).toBeUndefined();
    await login(house, 'boss@example.test', 'three wooden ladders').expect(200);
    expect(await administrators(house)).toEqual([{ email: 'boss@example.test' }]);
  });

  it('is not made by itself where the database is given', async () => {
    const house = await open();
    house.app.get(Settings).DATABASE_URL = 'postgres://somewhere/else';
    expect(await door(house).ensure()).toBeUndefined();
    expect(await administrators(house)).toEqual([]);
  });
});

describe('setting up an administrator by command', () => {
  it('makes one with a random password, or lifts up a user who keeps theirs', async () => {
    const house = await open();
    const made = await door(house).create('Root@Example.test');
    expect(made).toEqual({ email: 'root@example.test', password: expect.any(String) });
    await login(house, made.email, made.password).expect(200);

    const ann = await house.person('Ann', { status: 'inactive' });
    expect(await door(house).create(ann.email)).toEqual({ email: ann.email });
    await house.as(ann).get('/users').expect(200);
    await expect(door(house).create('nobody')).rejects.toThrow('nobody is not an e-mail address');
  });
});
