import * as fc from 'fast-check';
import { beginningOf, escapeLike, isCleanText, isLongerThan, lengthOf, printable } from './text.js';

it('counts code points', () => {
  expect(['', 'abc', 'é', 'e\u0301', '\u{1f600}', 'a\u{1f600}b', '\ud800', '\udc00\ud800'].map(lengthOf)).toEqual([
    0, 3, 1, 2, 1, 3, 1, 2,
  ]);
  const unit = fc.string({ unit: 'binary' });
  fc.assert(fc.property(unit, (text) => lengthOf(text) === [...text].length));
});

it('compares lengths like the exact count', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.nat(20),
      (text, max) => isLongerThan(text, max) === lengthOf(text) > max,
    ),
  );
});

it.each(['', 'plain', 'tab\tlf\ncr\r', '\u{1f600}', '\u00a0', '\u2028', '\ufeff', '\ufffd'])(
  'accepts %j as clean text',
  (text) => {
    expect(isCleanText(text)).toBe(true);
  },
);

/** Whether spec 01 rejects this UTF-16 unit on its own. */
const isRejected = (code: number) =>
  (code < 0x20 && ![9, 10, 13].includes(code)) || (code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff);

it('finds every control character and every lone surrogate', () => {
  const codes = Array.from({ length: 0x10000 }, (_, code) => code);
  const unclean = codes.filter((code) => !isCleanText(`a${String.fromCharCode(code)}b`));
  expect(unclean).toEqual(codes.filter(isRejected));
  expect(isCleanText('\udc00\ud800')).toBe(false);
});

it('makes unclean text printable', () => {
  expect(printable('a\u0000b\ud800')).toBe('a\ufffdb\ufffd');
  expect(printable('x'.repeat(200))).toHaveLength(100);
  expect(isCleanText(printable(`${'x'.repeat(99)}\u{1f600}`))).toBe(true);
});

it('shortens text by whole characters', () => {
  expect(beginningOf('\u{1f331}\u{1f331}', 2)).toBe('\u{1f331}\u{1f331}');
  expect(beginningOf('a\u{1f331}b\u{1f331}', 2)).toBe('a\u{1f331}…');
});

it('escapes the wildcards of LIKE', () => {
  expect(escapeLike('50%_of\\it')).toBe('50\\%\\_of\\\\it');
});
