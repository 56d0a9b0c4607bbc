import { randomBytes } from 'node:crypto';
import type { House } from './house.js';

export const PASSWORD = 'two wooden ladders';

/** Asks for an account through the front door. */
export async function register(house: House, body: { email: string; name?: string; password?: string }): Promise<void> {
  await house
    .as(null)
    .post('/auth/register')
    .send({ name: 'Somebody', password: PASSWORD, ...body })
    .expect(201);
}

/** Somebody who came through the front door: registered, read the mail, verified. */
export async function signUp(
  house: House,
  name: string,
  password = PASSWORD,
): Promise<{ user_id: string; email: string; token: string }> {
  const email = `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@example.test`;
  await register(house, { email, name, password });
  const [{ code }] = await house.mail(email);
  const { body } = await house.as(null).post('/auth/verify').send({ email, code }).expect(200);
  return body.data;
}
