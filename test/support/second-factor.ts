import { createHmac } from 'node:crypto';
import type { Person, TestApp } from './test-app.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** The code that an authenticator app shows (RFC 6238); `offset` counts steps from now. Written from the RFC alone. */
export function totpOf(secret: string, offset = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const step = Math.floor(Date.now() / STEP_MS) + offset;
  const message = Buffer.from(step.toString(16).padStart(16, '0'), 'hex');
  const hash = [...createHmac('sha1', key).update(message).digest()];
  const from = hash[19] % 16;
  const number = hash.slice(from, from + 4).reduce((sum, byte, at) => sum * 256 + (at === 0 ? byte % 128 : byte), 0);
  return `${number % 1_000_000}`.padStart(6, '0');
}

/** The second factor of a person, as it was shown when it was enabled. */
export interface SecondFactor {
  secret: string;
  recoveryCodes: string[];
}

/** Turns the second factor on. */
export async function enableSecondFactor(app: TestApp, person: Person): Promise<SecondFactor> {
  const { body: setup } = await app.as(person).post('/auth/totp/setup').expect(200);
  const { secret } = setup.data;
  const { body } = await app
    .as(person)
    .post('/auth/totp/enable')
    .send({ code: totpOf(secret) })
    .expect(200);
  await forgetUsedCodes(app, person);
  return { secret, recoveryCodes: body.data.recovery_codes };
}

/** Lets codes of the present step work again, as if time had passed. */
export const forgetUsedCodes = (app: TestApp, { id }: Pick<Person, 'id'>): Promise<unknown> =>
  app.database.query(`UPDATE credentials SET last_step = NULL WHERE user_id = $1 AND kind = 'totp'`, [id]);
