import { randomPassword } from './random-password.js';

describe('a random password', () => {
  it('is 20 letters and digits that cannot be mistaken for each other or for a command-line flag', () => {
    const made = Array.from({ length: 500 }, () => randomPassword());
    for (const password of made) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{20}$/);
    expect(new Set(made).size).toBe(made.length);
  });
});
