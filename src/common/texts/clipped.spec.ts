import fc from 'fast-check';
import { clipped, wrapped } from './clipped.js';

const width = (text: string): number =>
  Array.from(text).reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) >= 0x1100 && char !== '…' ? 2 : 1), 0);

describe('a text with limited space', () => {
  it('is unchanged if it fits, and otherwise ends in an ellipsis', () => {
    expect(clipped('Build the frame', 15)).toBe('Build the frame');
    expect(clipped('Build the frames', 15)).toBe('Build the fram…');
    expect(clipped('庭の門を塗る', 7)).toBe('庭の門…');
    expect(clipped('👩🏽‍🌾 plants', 30)).toBe('👩🏽‍🌾 plants');
  });

  it('is wrapped between words, or within a word that is too long', () => {
    expect(wrapped('Hang the door of the shed', 13, 2)).toEqual(['Hang the door', 'of the shed']);
    expect(wrapped('Hang the door of the garden shed', 13, 2)).toEqual(['Hang the door', 'of the garde…']);
    expect(wrapped('Donaudampfschifffahrt', 13, 2)).toEqual(['Donaudampfsch', 'ifffahrt']);
    expect(wrapped('Short', 13, 2)).toEqual(['Short']);
  });

  it('is never wider than the space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 3, max: 30 }), (text, max) => {
        for (const line of [clipped(text, max), ...wrapped(text, max, 2)]) {
          expect(width(line)).toBeLessThanOrEqual(max);
        }
        expect(wrapped(text, max, 2).length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
