import { randomBytes } from 'node:crypto';
import { Passwords } from '../../../src/modules/users/passwords.js';
import { PASSWORD } from '../../support/sign-up.js';
import type { CallerName, World } from '../callers.js';
import { get, patch, post, type Row } from '../rows.js';

/** Lets the caller have a password that the test knows. */
async function rememberPassword({ house, callers }: World, caller: CallerName): Promise<void> {
  const hash = await house.app.get(Passwords, { strict: false }).hash(PASSWORD);
  await house.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [callers[caller].id, hash]);
}

const newAddress = (): string => `new.${randomBytes(4).toString('hex')}@example.test`;

/** The code that came to the new address after the caller asked for it. */
async function askedCode(world: World, caller: CallerName): Promise<string | undefined> {
  const { house, callers } = world;
  const address = newAddress();
  await rememberPassword(world, caller);
  await house
    .as(callers[caller])
    .post('/auth/email/change')
    .send({ new_email: address, current_password: PASSWORD })
    .expect(200);
  const [{ code }] = await house.mail(address);
  return code;
}

export const AUTH: readonly Row[] = [
  {
    operation: 'auth_logout',
    at: null,
    success: 200,
    ask: async ({ house, callers }, caller) => ({ ...post('/auth/logout'), by: await house.again(callers[caller]) }),
  },
  {
    operation: 'auth_change_password',
    at: null,
    success: 200,
    ask: async (world, caller) => {
      await rememberPassword(world, caller);
      return post('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD}!` });
    },
  },
  {
    operation: 'auth_profile',
    at: null,
    success: 200,
    ask: () => patch('/auth/profile', { timezone: 'Europe/Berlin' }),
  },
  { operation: 'auth_whoami', at: null, success: 200, ask: () => get('/auth/whoami') },
  {
    operation: 'auth_email_change',
    at: null,
    success: 200,
    ask: async (world, caller) => {
      await rememberPassword(world, caller);
      return post('/auth/email/change', { new_email: newAddress(), current_password: PASSWORD });
    },
  },
  {
    operation: 'auth_email_verify',
    at: null,
    success: 200,
    ask: async (world, caller) => post('/auth/email/verify', { code: await askedCode(world, caller) }),
  },
];
