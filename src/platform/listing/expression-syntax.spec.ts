import { parseExpression } from './expression-syntax.js';

const equal = (name: string, value: string, at: number) => ({ name, operator: '=', value, at });

describe('a filter expression', () => {
  it('joins by AND, also without the word, less than by OR', () => {
    const [a, b, c] = [equal('a', '1', 1), equal('b', '2', 9), equal('c', '3', 18)];
    expect(parseExpression('a=1 AND b = 2 OR c=3')).toEqual({ all: [a, { any: [b, { ...c, at: 18 }] }] });
    expect(parseExpression('a=1  b=2')).toEqual({ all: [a, equal('b', '2', 6)] });
    expect(parseExpression('(a=1)')).toEqual(equal('a', '1', 2));
  });

  it('negates by NOT and by a minus', () => {
    expect(parseExpression('NOT a=1')).toEqual({ not: equal('a', '1', 5) });
    expect(parseExpression('-a=1')).toEqual({ not: equal('a', '1', 2) });
    expect(parseExpression('-(a=1)')).toEqual({ not: equal('a', '1', 3) });
  });

  it('takes values in quotes with every character', () => {
    expect(parseExpression(`a = "x AND (\\"y\\")"`)).toMatchObject({ value: 'x AND ("y")' });
    expect(parseExpression(`a:'🌱 ='`)).toMatchObject({ operator: ':', value: '🌱 =' });
    expect(parseExpression('a >= -3.5')).toMatchObject({ operator: '>=', value: '-3.5' });
    expect(parseExpression('a:*')).toMatchObject({ operator: ':', value: '*' });
  });

  it.each([
    ['', 1, 'A comparison such as'],
    ['a', 1, 'a is compared with nothing'],
    ['a=1 AND', 8, 'A comparison such as'],
    ['a=1 OR OR b=2', 8, 'A comparison such as'],
    ['a=', 3, 'A value is expected'],
    ['a=(1)', 3, 'A value is expected'],
    ['(a=1', 5, 'The ( at position 1 is not closed'],
    ['a=1)', 4, 'AND, OR or the end is expected before )'],
    ['at>2026-12-01T10:00:00Z', 17, 'AND, OR or the end is expected before :'],
    ['a="1', 3, 'A quote is not closed'],
    ['lower(a) = 1', 1, 'lower is compared with nothing'],
    [`${'('.repeat(10)}a=1${')'.repeat(10)}`, 11, 'At most 10 levels'],
    [Array.from({ length: 51 }, () => 'a=1').join(' AND '), 401, 'At most 50 comparisons'],
  ])('says where %j is wrong', (text, at, message) => {
    expect(() => parseExpression(text)).toThrow(`At position ${at}: ${message}`);
  });

  it('is read in a time that grows with its length only', () => {
    for (const text of ['('.repeat(4_000), '"'.repeat(3_999), ' '.repeat(4_000), '\\'.repeat(4_000)]) {
      expect(() => parseExpression(text)).toThrow('At position');
    }
  });
});
