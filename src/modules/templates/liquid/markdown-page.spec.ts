import fc from 'fast-check';
import { htmlOf } from './markdown-page.js';

const TAGS =
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(' ');

/** Everything that a browser would parse as markup, with its attributes. */
const markupOf = (html: string): string[] => html.match(/<[^>]*>?/g) ?? [];

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](data:text/html,<script>)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n[x]',
  '```"><script>\nx\n```',
  '[x](https://a.example/"onmouseover="alert(1))',
  '[x](https://a.example "title\\"onclick=alert(1)")',
  '<!-- --><svg/onload=alert(1)>',
  '<?php ?><![CDATA[<script>]]>',
  '| a |\n|---|\n| <b onclick=x> |',
];

describe('the HTML of a Markdown text', () => {
  it('has headings, tables, lists, tasks, code and links to pages', () => {
    const html = htmlOf(
      '# A & B\n\n- [x] done\n- [ ] open\n\n| n | s |\n|--:|---|\n| 1 | *x* |\n\n`<i>` [page](https://a.example/?a=1&b=2)\n',
    );
    expect(html.split('\n')).toEqual([
      '<h1>A &amp; B</h1>',
      '<ul>',
      '<li>☑ done</li>',
      '<li>☐ open</li>',
      '</ul>',
      '<div class="table"><table>',
      '<thead><tr><th class="right">n</th><th>s</th></tr></thead>',
      '<tbody><tr><td class="right">1</td><td><em>x</em></td></tr></tbody>',
      '</table></div>',
      '<p><code>&lt;i&gt;</code> <a href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer nofollow">page</a></p>',
      '',
    ]);
  });

  it('shows raw HTML and links to anything but pages as text', () => {
    expect(htmlOf('<b>x</b> [y](javascript:1) ![z](ftp://a/b.png)')).toBe('<p>&lt;b&gt;x&lt;/b&gt; y z</p>\n');
    expect(htmlOf('<div onclick="x">\ny\n</div>\n')).toBe(
      '<p>&lt;div onclick=&quot;x&quot;&gt;\ny\n&lt;/div&gt;</p>\n',
    );
  });

  it('escapes the text after a raw tag', () => {
    expect(htmlOf('x <script><!-- --><svg/onload=alert(1)>')).not.toContain('<s');
    expect(htmlOf('x <pre> <svg/onload=alert(1)>')).not.toContain('<svg');
  });

  it('links to pictures instead of loading them', () => {
    expect(htmlOf('![plan](https://a.example/p.png)')).toBe(
      '<p><a href="https://a.example/p.png" rel="noopener noreferrer nofollow">plan</a></p>\n',
    );
  });

  it('has pictures before its first section, or at the end if it has no sections', () => {
    const pictures = '<div>pictures</div>\n';
    const sections = '# A\n\nx [y]\n\n> ## quoted\n\n## B\n\n## C\n\n[y]: https://a.example\n';
    expect(htmlOf(sections, pictures)).toBe(htmlOf(sections).replace('<h2>B', `${pictures}<h2>B`));
    expect(htmlOf(sections)).toContain('<a href="https://a.example"');
    expect(htmlOf('# A\n\nx', pictures)).toBe(`<h1>A</h1>\n<p>x</p>\n${pictures}`);
    expect(htmlOf('```\n## code\n```', pictures)).toBe(`<pre><code>## code\n</code></pre>\n${pictures}`);
  });

  it('contains no markup from the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ maxLength: 12 }),
      fc.constantFrom('\n', '\n\n', '- ', '> ', '| ', '`'),
    );
    const allowed = new RegExp(
      `^(?:</?(?:${TAGS.join('|')})>|<(?:th|td) class="(?:left|right|center)">|<div class="table">|<ol start="\\d+">` +
        '|<a href="https?://[^"<>]*" rel="noopener noreferrer nofollow">)$',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const markup of markupOf(htmlOf(pieces.join('')))) expect(markup).toMatch(allowed);
      }),
      { numRuns: 3_000, endOnFailure: true },
    );
  });
});
