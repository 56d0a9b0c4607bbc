import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../../common/errors.js';

const SHORTEST = 12;

/** Published common passwords, those that are long enough to be accepted otherwise. */
const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= SHORTEST));

/** What a password must not be: everybody's, or what everybody knows of its owner. Lengths are the body pipe's affair. */
export function assertGoodPassword(
  field: string,
  password: string,
  { email, name }: { email?: string; name?: string } = {},
): void {
  const plain = comparable(password);
  if (COMMON.has(plain)) throw invalidField(field, 'invalid_value', `${field} is on the list of common passwords.`);
  const known = [email, email?.split('@')[0], name].filter((word) => word !== undefined).map(comparable);
  if (known.includes(plain)) throw invalidField(field, 'invalid_value', `${field} must not be your e-mail or name.`);
}

const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
