import { base32, codeOf, isTotpCode, otpauthUrl, stepOf } from './totp.rules.js';

const SECRET = Buffer.from('12345678901234567890');

describe('time-based codes', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('are those of RFC 6238 at %d seconds', (seconds, code) => {
    expect(codeOf(SECRET, Math.floor(seconds / 30), 8)).toBe(code);
  });

  it('belong to the present step or one beside it', () => {
    const now = 1_234_567_890;
    const step = Math.floor(now / 30);
    const steps = [-2, -1, 0, 1, 2].map((offset) => stepOf(SECRET, codeOf(SECRET, step + offset), now, null));
    expect(steps).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  it('are used up with their step and all before it', () => {
    const now = 1_234_567_890;
    const step = Math.floor(now / 30);
    expect(stepOf(SECRET, codeOf(SECRET, step), now, step)).toBeUndefined();
    expect(stepOf(SECRET, codeOf(SECRET, step - 1), now, step)).toBeUndefined();
    expect(stepOf(SECRET, codeOf(SECRET, step + 1), now, step)).toBe(step + 1);
  });

  it('have six digits', () => {
    expect(['123456', '12345', '1234567', '12345a', '１２３４５６', ''].map(isTotpCode)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the secret for apps', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is written as in RFC 4648: %s', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });

  it('stands in an address with the account', () => {
    expect(otpauthUrl(SECRET, 'ann+x@example.com')).toBe(
      'otpauth://totp/Worksmith:ann%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Worksmith' +
        '&algorithm=SHA1&digits=6&period=30',
    );
  });
});
