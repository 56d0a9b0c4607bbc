import { mailLanguageOf, preferredLanguage } from './languages.js';

describe('the language of a mail', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-CH, fr;q=0.9', 'de'],
    ['it, fr;q=0.5, es;q=0.8', 'es'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['nl, *;q=0.5', 'en'],
    ['de;q=many', 'en'],
  ])('for Accept-Language %j is %s', (header, language) => expect(preferredLanguage(header)).toBe(language));

  it.each([
    ['fr-CA', 'fr'],
    ['ES', 'es'],
    ['pt-BR', 'en'],
  ])('for the tag %s is %s', (tag, language) => expect(mailLanguageOf(tag)).toBe(language));
});
