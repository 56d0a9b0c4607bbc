import { csvHeader, csvLines } from './csv.js';

describe('CSV', () => {
  it('has one cell per column, quoted if necessary, and line ends according to RFC 4180', () => {
    const rows = [
      { a: 'x, "y"', b: 'two\nlines', c: -1.5 },
      { a: null, b: true, c: { d: [1] } },
    ];
    expect(csvHeader(['a', 'b', 'c'])).toBe('a,b,c\r\n');
    expect(csvLines(['a', 'b', 'c'], rows)).toBe('"x, ""y""","two\nlines",-1.5\r\n,true,"{""d"":[1]}"\r\n');
    expect(csvLines(['a'], [])).toBe('');
  });

  it('has no cell that a spreadsheet would evaluate as a formula', () => {
    const texts = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1',
      '＋1',
      '－1',
      '＠a',
      '=HYPERLINK("http://x")',
      ' =1+1',
      '\u00a0=1',
      '\n\n=1',
      '\u3000 \u200b@SUM(A1)',
      '\ufeff-1',
      '  ＝1',
    ];
    for (const a of texts) {
      expect(csvLines(['a'], [{ a }])).toMatch(/^"?'[^']/);
    }
    for (const a of [' 1', 'a =1', ' a']) expect(csvLines(['a'], [{ a }])).not.toContain("'");
  });
});
