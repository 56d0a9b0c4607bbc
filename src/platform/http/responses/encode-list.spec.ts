import { encodeList } from './encode-list.js';

const asJson = (items: readonly string[], meta: object): string =>
  `{"data":[${items.join(',')}],"meta":${JSON.stringify(meta)}}`;

describe('the response of a list', () => {
  const meta = { total: null, note: '\u2019' };

  it.each([
    ['no items', []],
    ['one item', ['{"title":"one"}']],
    ['items within and outside of Latin-1', ['"\u00e9"', '"\u2019"', '"\u{1f600}"', '{}']],
    [
      'more than the reused memory holds',
      Array.from({ length: 200 }, (_, at) => JSON.stringify('\u4e2d'.repeat(9_000) + at)),
    ],
  ])('is the UTF-8 of its JSON with %s', (_, items: string[]) => {
    expect(encodeList(items, meta).toString()).toBe(asJson(items, meta));
  });

  it('does not change while the next one is encoded', () => {
    const first = encodeList(['"first"'], {});
    encodeList(['"later"'], {});
    expect(first.toString()).toBe('{"data":["first"],"meta":{}}');
  });
});
