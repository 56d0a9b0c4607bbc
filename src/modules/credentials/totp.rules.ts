import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** The steps before and after the present one whose codes are accepted, for clocks that differ. */
const TOLERANCE = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The name under which authenticator apps show the account. */
const ISSUER = 'Worksmith';

/** The code of a step (RFC 4226). */
export function codeOf(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const binary = mac.readUInt32BE(mac[mac.length - 1] & 0xf) & 0x7fffffff;
  return String(binary % 10 ** digits).padStart(digits, '0');
}

/**
 * The step (RFC 6238) that the code belongs to, of the present one and its neighbours; undefined if it is wrong. Steps up
 * to `lastStep` are used up.
 */
export function stepOf(secret: Buffer, code: string, seconds: number, lastStep: number | null): number | undefined {
  const now = Math.floor(seconds / STEP_SECONDS);
  let matching: number | undefined;
  for (let step = now - TOLERANCE; step <= now + TOLERANCE; step += 1) {
    const isMatch = timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code));
    if (isMatch && step > (lastStep ?? -1)) matching ??= step;
  }
  return matching;
}

export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text);

/** RFC 4648 without padding, as authenticator apps read secrets. */
export function base32(bytes: Buffer): string {
  let [bits, length, text] = [0, 0, ''];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    length += 8;
    for (; length >= 5; length -= 5) text += BASE32[(bits >> (length - 5)) & 31];
  }
  return length === 0 ? text : text + BASE32[(bits << (5 - length)) & 31];
}

/** The address that authenticator apps read from the QR code. */
export function otpauthUrl(secret: Buffer, email: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(email)}`;
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(ISSUER)}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}
