import { OperatorAccounts } from '../../src/modules/auth/operator-accounts.js';
import { InProcessApp } from '../support/in-process-app.js';
import { enableSecondFactor } from '../support/second-factor.js';
import { PASSWORD } from '../support/sign-up.js';

let app: InProcessApp;

beforeAll(async () => {
  app = await InProcessApp.open();
});
afterAll(() => app.close());

const reset = (email: string): Promise<string[]> =>
  app.nest.get(OperatorAccounts, { strict: false }).resetSecondFactor(email);

describe('npm run admin -- reset-second-factor', () => {
  it('turns the second factor off, ends all sessions, and is in the audit and in a mail', async () => {
    const ann = await app.person('Ann', { passwordHash: await app.service.hashPassword(PASSWORD) });
    await enableSecondFactor(app, ann);
    expect(await reset(ann.email.toUpperCase())).toEqual([
      `The second factor of ${ann.email} is off, and all sessions of the account have been ended.`,
    ]);
    await app.as(ann).get('/auth/whoami').expect(401);
    const { body } = await app.as(null).post('/auth/login').send({ email: ann.email, password: PASSWORD }).expect(200);
    expect(body.data.token).toEqual(expect.any(String));
    const [mail] = await app.mail(ann.email);
    expect(mail.subject).toBe('Your second factor was turned off');
    const entries = await app.database.query(
      `SELECT actor_id FROM audit_entries WHERE user_id = $1 AND action = 'second_factor.disabled'`,
      [ann.id],
    );
    expect(entries).toEqual([{ actor_id: null }]);
  });

  it('says so if there is none, or no such account', async () => {
    const ben = await app.person('Ben');
    expect(await reset(ben.email)).toEqual([`${ben.email} has no second factor.`]);
    await app.as(ben).get('/auth/whoami').expect(200);
    await expect(reset('nobody@example.test')).rejects.toThrow('No account has the e-mail address');
  });
});
