import type { DeclaredField } from '../../../common/declared-field.js';
import type { TaskStatus } from '../../../common/statuses.js';
import { findStage, type Stage } from '../../endeavours/stages/stages.js';
import { fieldNamed } from './field-names.js';
import { RefusedLine, type ImportedPerson, type ImportOptions, type Lookup } from './import-format.js';
import type { ImportNotes, NoteKind } from '../import-notes.js';
import { ownOf, textOf } from '../formats/values.js';
import { dateOf, dateOrderOf, orderIn, type DateOrder, type ReadDate } from '../words/dates.js';
import { foldWord } from '../words/fold.js';
import { directionOf } from '../words/links.js';
import { decimalIn, readNumber } from '../words/numbers.js';
import { statusByWords, strongStatusOf } from '../words/statuses.js';

/**
 * Reads the values of one line with the options of the import. A value that cannot be read is left out and noted; one
 * that can be read in two ways refuses the line.
 */
export class Reading {
  constructor(
    readonly options: ImportOptions,
    readonly lookup: Lookup,
    readonly notes: ImportNotes,
    readonly line: number,
    /** The stages of the endeavour, which say what states of the same names mean. */
    private readonly stages: readonly Stage[] | null = null,
  ) {}

  note(kind: NoteKind, name: string, message: string): void {
    this.notes.add(kind, name, message, this.line);
  }

  truncated(name: string, found: number, total: unknown): void {
    if (typeof total === 'number' && Number.isFinite(total)) this.notes.truncated(name, found, total, this.line);
  }

  /** Returns a time; a day means its first second in the time zone of the options. */
  time(value: unknown, name: string): string | undefined {
    const date = this.date(value, name);
    if (date === undefined || date.instant !== undefined) return date?.instant;
    const start = dateOf(`${date.day}T00:00:00`, { timezone: this.options.timezone ?? 'UTC' });
    return start === 'ambiguous' ? undefined : start?.instant;
  }

  /** Returns a day if the value is one, otherwise an instant. */
  dayOrTime(value: unknown, name: string): string | undefined {
    const date = this.date(value, name);
    return date?.instant ?? date?.day;
  }

  /** Returns the day of a value that means a day, whatever time it has. */
  day(value: unknown, name: string): string | undefined {
    return this.date(value, name)?.day;
  }

  /** Reads the time of a comment, which is left out if it can be read in several ways. */
  sideTime(value: unknown, name: string): string | undefined {
    return this.unambiguous(name, () => this.time(value, name));
  }

  /** Reads the day of something that belongs to the line, which is left out if it can be read in several ways. */
  sideDay(value: unknown, name: string): string | undefined {
    return this.unambiguous(name, () => this.day(value, name));
  }

  number(value: unknown, name: string): number | undefined {
    if (typeof value === 'number') return value;
    const text = textOf(value)?.trim();
    if (text === undefined) return undefined;
    const { decimal, language } = this.options;
    const mark = decimal ?? (language === undefined ? undefined : decimalIn(language));
    if (decimal !== undefined && /[.,]/.test(text)) this.notes.use('decimal');
    const number = readNumber(text, mark);
    if (number === 'ambiguous') {
      throw new RefusedLine(
        `${name} can be read as two numbers (${text}); set options.decimal to "." or ",".`,
        undefined,
        'invalid_type',
      );
    }
    if (number === undefined) this.note('value', name, `${quoted(text)} is not a number; left out`);
    return number;
  }

  /** Returns hours from seconds. */
  hours(value: unknown, name: string): number | undefined {
    const seconds = this.number(value, name);
    return seconds === undefined ? undefined : Math.round((seconds / 3_600) * 1e4) / 1e4;
  }

  /**
   * Returns the status of a state with that name, and with that category if the other system has categories: by the
   * options, by the stage with that name, by the exact word, by the category, and by the words in the name. Undefined
   * without a name.
   */
  status(value: unknown, kind: 'status' | 'list' = 'status', category?: TaskStatus): TaskStatus | undefined {
    const name = textOf(value)?.trim();
    if (name === undefined) return category;
    const mapped = this.optionFor('statuses', name);
    if (mapped !== undefined) return mapped;
    const staged = this.stage(name);
    if (staged !== undefined) return staged.status;
    const exact = strongStatusOf(name);
    if (exact !== undefined) {
      if (category !== undefined && exact !== category) {
        this.note(kind, name, `read as ${exact}, although its category means ${category}`);
      }
      return exact;
    }
    if (category !== undefined) return category;
    const read = statusByWords(name);
    if (read !== undefined) {
      if (read.isGuess || kind === 'list') this.note(kind, name, `read as ${read.status}`);
      return read.status;
    }
    this.note(
      kind,
      name,
      'not understood; finished work is done, other new tasks are planned, existing ones keep their status',
    );
    return undefined;
  }

  get hasFields(): boolean {
    return this.options.fields !== undefined && this.options.fields.length > 0;
  }

  /** Returns the declared field of tasks with that key or name, if there is one. */
  field(name: string): DeclaredField | undefined {
    return fieldNamed(this.options.fields ?? [], name);
  }

  get hasStages(): boolean {
    return this.stages !== null;
  }

  hasStageOf(status: TaskStatus): boolean {
    return this.stages?.some((stage) => stage.status === status) === true;
  }

  /** Returns the stage of the endeavour that is called like a column or state, if there is one. */
  stage(name: unknown): Stage | undefined {
    const text = textOf(name)?.trim();
    return text === undefined ? undefined : findStage(this.stages, text);
  }

  /** Returns whether work with that resolution was done or canceled; undefined without a resolution. */
  resolution(value: unknown): 'done' | 'canceled' | undefined {
    const name = textOf(value)?.trim();
    if (name === undefined || /^(?:unresolved|none)$/i.test(name)) return undefined;
    const mapped = this.optionFor('resolutions', name);
    if (mapped !== undefined) return mapped;
    const read = statusByWords(name);
    if (read?.status === 'canceled') return 'canceled';
    if (read?.status !== 'done') this.note('resolution', name, 'not understood; finished work with it is done');
    return 'done';
  }

  /** Returns the relation of a link; one with an unknown name is `relates_to`. */
  link(link: { name: string; phrase?: string; isIncoming: boolean }): NonNullable<ReturnType<typeof directionOf>> {
    const direction = directionOf(link, this.optionFor('links', link.name));
    if (direction !== undefined) return direction;
    this.note('link', link.name, 'not understood; imported as relates_to');
    return { type: 'relates_to', isIncoming: link.isIncoming };
  }

  /** Whether open work in an archived list or project is left out; it is canceled otherwise. */
  skipsArchived(kind: NoteKind, container: string): boolean {
    const { archived } = this.options;
    if (archived !== undefined) this.notes.use('archived');
    this.note(kind, container, `archived; its open work is ${archived === 'skip' ? 'left out' : 'canceled'}`);
    return archived === 'skip';
  }

  /** Returns the title on one line. */
  title(value: unknown): string {
    return (textOf(value) ?? '').replaceAll(/\s+/g, ' ').trim();
  }

  private optionFor<N extends 'statuses' | 'resolutions' | 'links'>(
    option: N,
    name: string,
  ): NonNullable<ImportOptions[N]>[string] | undefined {
    const values = this.options[option] as Record<string, NonNullable<ImportOptions[N]>[string]> | undefined;
    if (values === undefined) return undefined;
    const key =
      ownOf(values, name) === undefined ? Object.keys(values).find((own) => foldWord(own) === foldWord(name)) : name;
    if (key === undefined) return undefined;
    this.notes.use(option, key);
    return values[key];
  }

  private unambiguous(name: string, read: () => string | undefined): string | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RefusedLine)) throw error;
      this.note('value', name, error.message);
      return undefined;
    }
  }

  private date(value: unknown, name: string): ReadDate | undefined {
    const text = textOf(value)?.trim();
    if (text === undefined) return undefined;
    const date = dateOf(text, { order: this.orderFor(text), timezone: this.zoneFor(text) });
    if (date === 'ambiguous') {
      throw new RefusedLine(
        `${name} can be read as two days (${text}); set options.date_format, such as DD/MM/YYYY.`,
        undefined,
        'invalid_date',
      );
    }
    if (date === undefined) this.note('value', name, `${quoted(text)} is not a date; left out`);
    return date;
  }

  private orderFor(text: string): DateOrder | undefined {
    const { date_format: format, language } = this.options;
    if (format !== undefined) {
      if (/^\d{1,2}\D\d{1,2}\D\d{2,4}/.test(text)) this.notes.use('date_format');
      return dateOrderOf(format);
    }
    return language === undefined ? undefined : orderIn(language);
  }

  private zoneFor(text: string): string {
    if (this.options.timezone !== undefined && /\d:\d\d/.test(text)) this.notes.use('timezone');
    return this.options.timezone ?? 'UTC';
  }
}

/** A text in a note, shortened. */
export const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** Returns a person whose name, login or e-mail address is the text. */
export function personOf(value: unknown): ImportedPerson | undefined {
  const text = textOf(value)?.trim();
  return text === undefined ? undefined : { name: text, login: text, ...(text.includes('@') && { email: text }) };
}
