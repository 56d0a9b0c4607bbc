import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/jobs/clock.js';
import { TemplateRenderer } from '../templates/reports/template-renderer.js';
import type { Due } from './schedules/schedules.repository.js';

/** The maximum length of a rendered prompt; a longer one would make inboxes too large, and is not sent. */
const LONGEST = 200_000;
const MAX_FAILED_PROMPTS = 1_000;
/** Then a prompt is tried again: whether one takes too long or becomes too long depends on what is in the endeavour. */
const FAILED_MS = 3_600_000;
const TAG = /\{\{|\{%/;

/** Whether a prompt is rendered with the contents of its endeavour. */
export const isTemplate = (prompt: string | null | undefined): boolean => TAG.test(prompt ?? '');

/** Renders the message that the members of an endeavour receive when a ritual is due. */
@Injectable()
export class Prompts {
  private readonly log = new Logger('Rituals');
  /**
   * When prompts could not be rendered, by their hash, so that schedules do not repeat rendering that takes seconds.
   */
  private readonly failedAt = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly renderer: TemplateRenderer,
  ) {}

  /**
   * The prompt rendered with the variables of the endeavour; unchanged if it has no tags. If it is blank or cannot be
   * rendered, the message names the ritual instead, because its tags would be no help to the members.
   */
  async render(due: Due): Promise<string> {
    const { id, prompt, endeavourId, lang } = due;
    if (prompt === null || !isTemplate(prompt)) return textOf(due, prompt ?? '');
    const hash = createHash('sha256').update(`${id} ${prompt}`).digest('base64');
    const now = this.clock.now();
    if (now.getTime() - (this.failedAt.get(hash) ?? -Infinity) < FAILED_MS) return unrendered(due);
    const outcome = await this.renderer.render(endeavourId, { scope: 'endeavour', id: endeavourId, lang, now }, prompt);
    if ('text' in outcome && outcome.text.length <= LONGEST) return textOf(due, outcome.text);
    if (this.failedAt.size >= MAX_FAILED_PROMPTS) this.failedAt.clear();
    this.failedAt.set(hash, now.getTime());
    this.log.warn(
      `the prompt of ritual ${id} cannot be rendered: ${'error' in outcome ? outcome.error : 'its length'}`,
    );
    return unrendered(due);
  }
}

/** Whether the ritual asks for something besides its task. */
export const hasPrompt = ({ prompt }: Pick<Due, 'prompt'>): boolean => !isBlank(prompt ?? '');

/** Messages have a text: a prompt without one stands for the name of its ritual. */
const textOf = ({ name }: Due, text: string): string => (isBlank(text) ? `Ritual due: ${name}` : text);

const unrendered = ({ name }: Due): string =>
  `Ritual due: ${name}\n\nIts prompt could not be rendered; an admin of the endeavour can correct it.`;

/** Whether a text shows nothing: it has only white space and format characters. */
const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);
