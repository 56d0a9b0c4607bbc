import { randomInt } from 'node:crypto';

/** Without similar characters (0 and O, 1, l and I) and characters with a meaning in shells. */
const CHARACTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 20;

/** A password with 116 random bits, for people to copy. */
export function randomPassword(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}
