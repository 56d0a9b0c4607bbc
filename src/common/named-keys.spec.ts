import { keysNamedIn, mayNameKeys } from './work-keys.js';

describe('the keys in a text', () => {
  it.each([
    ['SHOP-42', ['SHOP-42']],
    ['see SHOP-42, (SHOP-7) and https://work.example/SHOP-9.', ['SHOP-42', 'SHOP-7', 'SHOP-9']],
    ['SHOP-42 SHOP-42 AB-1', ['SHOP-42', 'AB-1']],
    ['**SHOP-42** [SHOP-7](x) SHOP-8- SHOP-9…', ['SHOP-42', 'SHOP-7', 'SHOP-8', 'SHOP-9']],
    ['shop-42 Shop-42 covid-19 S-1 SHOP-0 SHOP-042', []],
    ['FIX-SHOP-42 SHOP-42-draft ÄSHOP-42 SHOP-42a _SHOP-42 SHOP-42_', []],
    ['`SHOP-1` SHOP-2\n> SHOP-3\n```\nSHOP-4\n```\nSHOP-5', ['SHOP-2', 'SHOP-5']],
    ['no key', []],
  ])('of %j are %j', (text, expected) => {
    expect(keysNamedIn(text, 10)).toEqual(expected);
    if (expected.length > 0) expect(mayNameKeys(text)).toBe(true);
  });

  it('are at most as many as asked for, the first ones', () => {
    const text = Array.from({ length: 20 }, (_, n) => `SHOP-${n + 1}`).join(' ');
    expect(keysNamedIn(text, 3)).toEqual(['SHOP-1', 'SHOP-2', 'SHOP-3']);
  });
});
