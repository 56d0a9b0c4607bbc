import { withoutQuotes } from './quoted-text.js';

describe('a text without what it quotes', () => {
  it.each([
    ['ask @Ann', 'ask @Ann'],
    ['use `@Ann` here, @Ben', 'use \n here, @Ben'],
    ['``a ` @Ann`` @Ben', '\n @Ben'],
    ['a ` alone, @Ann', 'a ` alone, @Ann'],
    ['> @Ann said\n@Ben', '\n@Ben'],
    ['```\n@Ann\n```\n@Ben', '\n\n\n@Ben'],
    ['~~~js\n@Ann\n```\n~~~\n@Ben', '\n\n\n\n@Ben'],
    ['```\n@Ann, never closed', '\n'],
  ])('of %j is %j', (text, expected) => {
    expect(withoutQuotes(text)).toBe(expected);
  });
});
