import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/jobs/clock.js';
import { TemplateRenderer } from '../templates/reports/template-renderer.js';
import type { Due } from './schedules.repository.js';

/**
 * The maximum length of a rendered prompt; a longer one would make inboxes too large, and is sent without rendering.
 */
const LONGEST = 200_000;
const MAX_FAILED_PROMPTS = 1_000;
const TAG = /\{\{|\{%/;

/** Renders the message that the members of an endeavour receive when a ritual is due. */
@Injectable()
export class Prompts {
  private readonly log = new Logger('Rituals');
  /** Hashes of prompts that could not be rendered, so that schedules do not repeat rendering that takes seconds. */
  private readonly failedPrompts = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly renderer: TemplateRenderer,
  ) {}

  /** The prompt rendered with the variables of the endeavour; unchanged if it has no tags or is not a template. */
  async render(due: Due): Promise<string> {
    const { id, prompt, endeavourId, lang } = due;
    if (prompt === null || !TAG.test(prompt)) return this.raw(due);
    const hash = createHash('sha256').update(`${id} ${prompt}`).digest('base64');
    if (this.failedPrompts.has(hash)) return this.raw(due);
    const subject = { scope: 'endeavour', id: endeavourId, lang, now: this.clock.now() } as const;
    const outcome = await this.renderer.render(endeavourId, subject, prompt);
    if ('text' in outcome && outcome.text.trim() !== '' && outcome.text.length <= LONGEST) return outcome.text;
    if (this.failedPrompts.size >= MAX_FAILED_PROMPTS) this.failedPrompts.clear();
    this.failedPrompts.add(hash);
    this.log.warn(
      `the prompt of ritual ${id} is sent without rendering: ${'error' in outcome ? outcome.error : 'its length'}`,
    );
    return this.raw(due);
  }

  raw({ prompt, name }: Due): string {
    return prompt === null || prompt.trim() === '' ? `Ritual due: ${name}` : prompt;
  }
}
