import { Marked, type RendererObject, type Tokens } from 'marked';

const PAGE_LINK = /^https?:\/\//i;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);

/** Escapes text that can contain entities, which are kept. */
const escapeProse = (text: string): string =>
  text.replaceAll(/[<>"']|&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);)/g, (character) => ENTITIES[character]);

/**
 * Renders raw HTML as text, links only to http and https, and images as links, so that a page cannot run scripts or
 * load anything.
 */
const renderer: RendererObject = {
  html(token: Tokens.HTML | Tokens.Tag) {
    const text = escapeHtml(token.text);
    return 'block' in token && token.block ? `<p>${text.trimEnd()}</p>\n` : text;
  },
  // Text after <script> or <pre> is escaped here, because the parser treats it as already escaped.
  text(token: Tokens.Text | Tokens.Escape) {
    return 'tokens' in token && token.tokens !== undefined
      ? this.parser.parseInline(token.tokens)
      : escapeProse(token.text);
  },
  code({ text }: Tokens.Code) {
    return `<pre><code>${escapeHtml(text)}\n</code></pre>\n`;
  },
  link({ href, tokens }: Tokens.Link) {
    const text = this.parser.parseInline(tokens);
    return PAGE_LINK.test(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${text}</a>` : text;
  },
  image({ href, text }: Tokens.Image) {
    const label = escapeHtml(text === '' ? href : text);
    return PAGE_LINK.test(href)
      ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${label}</a>`
      : label;
  },
  checkbox({ checked }: Tokens.Checkbox) {
    return checked ? '☑ ' : '☐ ';
  },
  table(token: Tokens.Table) {
    const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): string =>
      `<tr>${cells.map((cell) => `<${tag}${alignmentOf(cell)}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
    const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
    return `<div class="table"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
  },
};

const alignmentOf = ({ align }: Tokens.TableCell): string => (align === null ? '' : ` class="${align}"`);

const marked = new Marked({ gfm: true, async: false, renderer });

/**
 * Renders Markdown as safe HTML in time linear in its length; runs outside the service process. `pictures`, which is
 * HTML, comes before the first section.
 */
export function htmlOf(markdown: string, pictures = ''): string {
  const tokens = marked.lexer(markdown);
  const section = tokens.findIndex((token) => token.type === 'heading' && token.depth === 2);
  const end = section === -1 ? tokens.length : section;
  return marked.parser(tokens.slice(0, end)) + pictures + marked.parser(tokens.slice(end));
}
