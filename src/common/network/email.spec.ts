import * as fc from 'fast-check';
import { normalizeEmail } from './email.js';

it.each([
  ['ann@example.com', 'ann@example.com'],
  [' Ann.B+tag@Example.COM\n', 'ann.b+tag@example.com'],
  ['ann@münchen.de', 'ann@xn--mnchen-3ya.de'],
  ['ann@MÜNCHEN。de', 'ann@xn--mnchen-3ya.de'],
  ["o'neil!#$%&*/=?^_`{|}~-@a-b.co", "o'neil!#$%&*/=?^_`{|}~-@a-b.co"],
  [`${'a'.repeat(64)}@b.co`, `${'a'.repeat(64)}@b.co`],
  ['ann@a.xn--p1ai', 'ann@a.xn--p1ai'],
])('%j is %s', (text, expected) => expect(normalizeEmail(text)).toBe(expected));

const label = 'a'.repeat(63);

it.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@host',
  'ann@@example.com',
  'a b@example.com',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  '"ann"@example.com',
  'jürgen@example.com',
  'ann@exam ple.com',
  'ann@example.com.',
  'ann@.example.com',
  'ann@-a.com',
  'ann@a-.com',
  'ann@a_b.com',
  'ann@1.2.3.4',
  'ann@[1.2.3.4]',
  'ann@0x7f.1',
  'ann@example.com:25',
  'ann@example.com/x',
  'ann@ex%41mple.com',
  'ann@example.c#m',
  'ann@\u00ad.com',
  'ann@xn--a.com',
  'ann\u0000@example.com',
  'ann@example\u0000.com',
  'ann@a\ud800.com',
  'Ann <ann@example.com>',
  `${'a'.repeat(65)}@b.co`,
  `ann@${'a'.repeat(64)}.com`,
  `${'a'.repeat(64)}@${label}.${label}.${label}.com`,
])('%j is rejected', (text) => expect(normalizeEmail(text)).toBeUndefined());

it('applies the limit of 254 characters after IDNA conversion', () => {
  const long = `a@${label}.${label}.${label}.${'b'.repeat(56)}.co`;
  expect(long).toHaveLength(253);
  expect(normalizeEmail(`a${long}`)).toHaveLength(254);
  expect(normalizeEmail(`aa${long}`)).toBeUndefined();
});

it('is idempotent', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (text) => {
      const normal = normalizeEmail(text);
      return normal === undefined || normalizeEmail(normal) === normal;
    }),
  );
});
