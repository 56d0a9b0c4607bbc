import { randomBytes } from 'node:crypto';
import type { TestApp } from './test-app.js';

export const PASSWORD = 'two wooden ladders';

/** Registers an account over the API. */
export async function register(app: TestApp, body: { email: string; name?: string; password?: string }): Promise<void> {
  await app
    .as(null)
    .post('/auth/register')
    .send({ name: 'New User', password: PASSWORD, ...body })
    .expect(201);
}

/** Signs a user up over the API: registers, reads the mail and verifies the address. */
export async function signUp(
  app: TestApp,
  name: string,
  password = PASSWORD,
): Promise<{ user_id: string; email: string; token: string }> {
  const email = `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@example.test`;
  await register(app, { email, name, password });
  const [{ code }] = await app.mail(email);
  const { body } = await app.as(null).post('/auth/verify').send({ email, code }).expect(200);
  return body.data;
}
