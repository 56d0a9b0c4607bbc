import { Context, Liquid, LiquidError, toValueSync, type Emitter } from 'liquidjs';
import { picturesOf, type PageSources } from '../page/page-pictures.js';
import { htmlOf } from './markdown-page.js';

/** What came of a template: its text, as the content of a page too where that was asked for, or why there is none. */
export type RenderOutcome = { text: string; html?: string } | { fault: string };

/** A template to be parsed, or with variables (a JSON object as text) to be rendered. */
export interface Job {
  body: string;
  variables?: string;
  /** The text is Markdown, and wanted as the content of a page too. */
  page?: PageSources;
  /** How long it may take, in milliseconds. */
  limitMs: number;
}

const MOST_BYTES = 1024 * 1024;
/** A page has more characters than its text, but few texts that people read have four times as many. */
const MOST_HTML = 4 * 1024 * 1024;

/** The share of the time of the process that runs this, so that most templates fail with a line and a column. */
const RENDER_SHARE = 0.9;

/** Characters, items and the like that one rendering may make; far more than a mebibyte of text needs. */
const MOST_ALLOCATIONS = 3_000_000;

/** Tags that read other templates; there are none to read. */
const FOREIGN_TAGS = ['include', 'render', 'layout', 'block'];

const engine = new Liquid({
  // An empty set of templates stands in the place of the file system.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  outputEscape: forTable,
  timezoneOffset: 'UTC',
  locale: 'en',
  dateFormat: '%Y-%m-%d %H:%M',
  memoryLimit: MOST_ALLOCATIONS,
});
for (const tag of FOREIGN_TAGS) delete engine.tags[tag];

/** A number with the separators of a language, such as 13,338. */
engine.registerFilter('number', (value: unknown, lang: unknown = 'en') => {
  const number = Number(value);
  return Number.isFinite(number) ? new Intl.NumberFormat(String(lang)).format(number) : value;
});

// Output with `| raw` still cannot contain markup from the author of the value.
engine.registerFilter('raw', { raw: true, handler: (value: unknown) => harmless(textOf(value)) });

const renderTemplates = engine.renderer.renderTemplates.bind(engine.renderer);
// Also what a tag captures is bounded: the engine itself counts only what filters make.
engine.renderer.renderTemplates = (templates, context, emitter = new BoundedText(context)) =>
  renderTemplates(templates, context, emitter);

/** Parses the body; with variables renders it too. */
export function runTemplate({ body, variables, page, limitMs }: Job): RenderOutcome {
  try {
    const template = engine.parse(body);
    if (variables === undefined) return { text: '' };
    const options = { sync: true, renderLimit: limitMs * RENDER_SHARE };
    const values = JSON.parse(variables) as object;
    const context = new Context(values, engine.options, options, { liquid: engine });
    const text = toValueSync(engine.renderer.renderTemplates(template, context)) as string;
    return page === undefined ? { text } : { text, html: contentOf(text, page, values) };
  } catch (error) {
    if (error instanceof LiquidError || error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}

/** The HTML of the text, with the pictures before its first section. */
function contentOf(text: string, page: PageSources, values: object): string {
  const html = htmlOf(text, page.hasPictures ? picturesOf(page, values) : '');
  if (html.length > MOST_HTML) throw new RangeError('the page exceeds 4 MiB');
  return html;
}

/** A value as it may stand in a cell of a Markdown table; `| raw` leaves out this, but not what makes it harmless. */
function forTable(value: unknown): string {
  const text = textOf(value).replace(/[\\|]/g, '\\$&');
  return harmless(text.replace(/[\r\n]+/g, ' '));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'function') return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a bracket would make a link, or say where one leads, to anything but a page. */
const LINKS_ELSEWHERE = /\](?:$|(?=[(:])(?![(:]\s*https?:\/\/))/gi;

/** The text with raw HTML, and links to anything but http and https, as text. Entities are never markup themselves. */
function harmless(text: string): string {
  return text.replaceAll('<', '&lt;').replace(LINKS_ELSEWHERE, '&#93;');
}

/** Collects what a template writes, and stops it at the limit. */
class BoundedText implements Emitter {
  buffer = '';
  private bytes = 0;

  constructor(private readonly context: Context) {}

  write(piece: unknown): void {
    const text = typeof piece === 'string' ? piece : piece === null || piece === undefined ? '' : JSON.stringify(piece);
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > MOST_BYTES) throw new RangeError('the rendered text exceeds 1 MiB');
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}
