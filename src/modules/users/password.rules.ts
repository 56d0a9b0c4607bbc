import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../../common/errors.js';

const SHORTEST = 12;
/** Shorter ones are common by chance: a random password may well begin with them. */
const SHORTEST_COMMON = 4;

const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= SHORTEST_COMMON));

/** Rejects common passwords and passwords that contain the user's own data. The body pipe checks the length. */
export function assertGoodPassword(
  field: string,
  password: string,
  { email, name }: { email?: string; name?: string } = {},
): void {
  const plain = comparable(password);
  const refuse = (reason: string) => invalidField(field, 'invalid_value', `${field} ${reason}.`);
  if (isCommon(plain)) throw refuse('must not be a common password, with or without digits appended');
  if (isRepetition(plain)) throw refuse('must not consist of one repeated character or short text');
  const known = [email, email?.split('@')[0], name].filter((word) => word !== undefined).map(comparable);
  if (known.includes(plain)) throw refuse('must not be your e-mail address or name');
}

/** On a published list of common passwords, as it is or without some of the digits at its end. */
function isCommon(text: string): boolean {
  const digits = /\d*$/.exec(text)?.[0].length ?? 0;
  for (let end = text.length; end >= text.length - digits; end -= 1) {
    if (COMMON.has(text.slice(0, end))) return true;
  }
  return false;
}

/** The same piece at least twice, where the piece alone would be too short to be a password; the last may be cut off. */
function isRepetition(text: string): boolean {
  for (let piece = 1; piece < SHORTEST && piece * 2 <= text.length; piece += 1) {
    if (text.slice(piece) === text.slice(0, -piece)) return true;
  }
  return false;
}

const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
