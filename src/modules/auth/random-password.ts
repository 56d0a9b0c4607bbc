import { randomInt } from 'node:crypto';

/** Excludes characters that look alike (0 and O; 1, l and I) or have a meaning in shells. */
const CHARACTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 20;

/** Generates a password with 116 random bits that people can copy. */
export function randomPassword(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}
