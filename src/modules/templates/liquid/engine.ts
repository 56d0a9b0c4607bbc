import { Context, Liquid, LiquidError, toValueSync, type Emitter } from 'liquidjs';
import { picturesOf, type PageSources } from '../page/page-pictures.js';
import { htmlOf } from './markdown-page.js';

/** The result of rendering: the text, and its HTML if a page is requested; or the error. */
export type RenderOutcome = { text: string; html?: string } | { error: string };

/** A template to parse, or to render if there are variables. */
export interface Job {
  body: string;
  /** A JSON object as text. */
  variables?: string;
  /** Set if the text, which is Markdown, is also requested as HTML for a page. */
  page?: PageSources;
  /** The time limit in milliseconds. */
  limitMs: number;
}

const MAX_BYTES = 1024 * 1024;
/** The HTML is longer than the text because of its markup; four times the length is enough for readable texts. */
const MAX_HTML = 4 * 1024 * 1024;

/**
 * The share of the time limit after which the engine stops, so that most errors have a line and column before the
 * process is killed.
 */
const RENDER_SHARE = 0.9;

/** The limit of characters and items that a rendering can allocate; far more than a mebibyte of text needs. */
const MAX_ALLOCATIONS = 3_000_000;

/** Tags that read other templates, which do not exist here. */
const FOREIGN_TAGS = ['include', 'render', 'layout', 'block'];

const engine = new Liquid({
  // An empty set of templates replaces the file system.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  outputEscape: forTable,
  timezoneOffset: 'UTC',
  locale: 'en',
  dateFormat: '%Y-%m-%d %H:%M',
  memoryLimit: MAX_ALLOCATIONS,
});
for (const tag of FOREIGN_TAGS) delete engine.tags[tag];

// Formats a number with the separators of a language, such as 13,338.
engine.registerFilter('number', (value: unknown, lang: unknown = 'en') => {
  const number = Number(value);
  return Number.isFinite(number) ? new Intl.NumberFormat(String(lang)).format(number) : value;
});

// The output of `| raw` still cannot contain markup of the value.
engine.registerFilter('raw', { raw: true, handler: (value: unknown) => withoutMarkup(textOf(value)) });

const renderTemplates = engine.renderer.renderTemplates.bind(engine.renderer);
// Limits the text that tags capture too, because the engine itself only counts the allocations of filters.
engine.renderer.renderTemplates = (templates, context, emitter = new BoundedText(context)) =>
  renderTemplates(templates, context, emitter);

/** Parses the body, and renders it if there are variables. */
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
    if (error instanceof LiquidError || error instanceof RangeError) return { error: error.message };
    throw error;
  }
}

/** The HTML of the text, with the pictures before its first section. */
function contentOf(text: string, page: PageSources, values: object): string {
  const html = htmlOf(text, page.hasPictures ? picturesOf(page, values) : '');
  if (html.length > MAX_HTML) throw new RangeError('the page exceeds 4 MiB');
  return html;
}

/** Escapes a value for a cell of a Markdown table; `| raw` skips this, but not {@link withoutMarkup}. */
function forTable(value: unknown): string {
  const text = textOf(value).replace(/[\\|]/g, '\\$&');
  return withoutMarkup(text.replace(/[\r\n]+/g, ' '));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'function') return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Closing brackets that would form a link, or a link reference, to a target other than http and https. */
const OTHER_LINKS = /\](?:$|(?=[(:])(?![(:]\s*https?:\/\/))/gi;

/**
 * Escapes raw HTML, and links to targets other than http and https. Entities need no escaping, because they are not
 * markup.
 */
function withoutMarkup(text: string): string {
  return text.replaceAll('<', '&lt;').replace(OTHER_LINKS, '&#93;');
}

/** Collects the output of a template; throws if it exceeds the limit. */
class BoundedText implements Emitter {
  buffer = '';
  private bytes = 0;

  constructor(private readonly context: Context) {}

  write(output: unknown): void {
    const text =
      typeof output === 'string' ? output : output === null || output === undefined ? '' : JSON.stringify(output);
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > MAX_BYTES) throw new RangeError('the rendered text exceeds 1 MiB');
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}
