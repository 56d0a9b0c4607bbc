import { Context, Liquid, LiquidError, toValueSync, type Emitter } from 'liquidjs';

/** What came of a template: its text, or why there is none. */
export type Outcome = { text: string } | { fault: string };

const MOST_BYTES = 1024 * 1024;

/** A little less than the process that runs this is given, so that most templates fail with a line and a column. */
const RENDER_MS = 1_800;

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
  renderLimit: RENDER_MS,
});
for (const tag of FOREIGN_TAGS) delete engine.tags[tag];

const renderTemplates = engine.renderer.renderTemplates.bind(engine.renderer);
// Also what a tag captures is bounded: the engine itself counts only what filters make.
engine.renderer.renderTemplates = (templates, context, emitter = new BoundedText(context)) =>
  renderTemplates(templates, context, emitter);

/** Parses the body; with variables (a JSON object as text) renders it too. */
export function runTemplate(body: string, variables: string | undefined): Outcome {
  try {
    const template = engine.parse(body);
    if (variables === undefined) return { text: '' };
    const context = new Context(JSON.parse(variables) as object, engine.options, { sync: true }, { liquid: engine });
    return { text: toValueSync(engine.renderer.renderTemplates(template, context)) as string };
  } catch (error) {
    if (error instanceof LiquidError || error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}

/** A value as it may stand in a cell of a Markdown table; `| raw` leaves it alone. */
function forTable(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'function') return '';
  if (Array.isArray(value)) return value.map(forTable).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' ');
}

/** Collects what a template writes, and stops it at the limit. */
class BoundedText implements Emitter {
  buffer = '';
  private bytes = 0;

  constructor(private readonly context: Context) {}

  write(piece: unknown): void {
    const text = typeof piece === 'string' ? piece : piece === null || piece === undefined ? '' : JSON.stringify(piece);
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > MOST_BYTES) throw new RangeError('the text becomes longer than 1 MiB');
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}
