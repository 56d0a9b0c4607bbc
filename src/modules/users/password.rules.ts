import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../../common/errors.js';

const SHORTEST = 12;
/** The minimum length of a common password; random passwords can start with a shorter one by chance. */
const SHORTEST_COMMON = 4;

const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= SHORTEST_COMMON));

/** Rejects common passwords and passwords that contain the user's own data. The body pipe checks the length. */
export function assertGoodPassword(
  field: string,
  password: string,
  { email, name }: { email?: string; name?: string } = {},
): void {
  const normalized = comparable(password);
  const rejection = (reason: string) => invalidField(field, 'invalid_value', `${field} ${reason}.`);
  if (isCommon(normalized)) throw rejection('must not be a common password, with or without digits appended');
  if (isRepetition(normalized)) throw rejection('must not consist of one repeated character or short text');
  const personal = [email, email?.split('@')[0], name].filter((word) => word !== undefined).map(comparable);
  if (personal.includes(normalized)) throw rejection('must not be your e-mail address or name');
}

/** Whether the text is on a list of common passwords, with or without some of the digits at its end. */
function isCommon(text: string): boolean {
  const digits = /\d*$/.exec(text)?.[0].length ?? 0;
  for (let end = text.length; end >= text.length - digits; end -= 1) {
    if (COMMON.has(text.slice(0, end))) return true;
  }
  return false;
}

/** Whether the text repeats a part that is shorter than a password; the last repetition can be incomplete. */
function isRepetition(text: string): boolean {
  for (let length = 1; length < SHORTEST && length * 2 <= text.length; length += 1) {
    if (text.slice(length) === text.slice(0, -length)) return true;
  }
  return false;
}

const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
