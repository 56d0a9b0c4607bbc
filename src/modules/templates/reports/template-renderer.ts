import { Injectable } from '@nestjs/common';
import type { RenderOutcome } from '../liquid/engine.js';
import type { PageSources } from '../page/page-pictures.js';
import { Renderer } from '../liquid/renderer.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { ReportSubjects } from './report-subjects.js';
import { ReportsRepository } from './reports.repository.js';

/** What a template is rendered about, and when. */
export interface Subject {
  scope: TemplateScope;
  id: string;
  lang: string;
  now: Date;
}

/** Renders templates with the variables of entities. */
@Injectable()
export class TemplateRenderer {
  constructor(
    private readonly renderer: Renderer,
    private readonly repository: ReportsRepository,
    private readonly subjects: ReportSubjects,
  ) {}

  /**
   * `user` determines the queue of the request and the visibility of the variables. `readPage` reads, in the user's
   * turn, what a page shows beside them.
   */
  render(user: string, subject: Subject, body: string, readPage?: () => Promise<PageSources>): Promise<RenderOutcome> {
    return this.renderer.render(user, body, async () => ({
      page: await readPage?.(),
      variables: await this.variablesOf(user, subject, body),
    }));
  }

  /** Stays text, because nothing but the renderer has to read it. */
  private async variablesOf(user: string, { scope, id, lang, now }: Subject, body: string): Promise<string> {
    const variables = await this.repository.readVariables(this.subjects.variablesFor(scope), user, { id, now });
    const read = await this.readFor(scope, id, body);
    const more = JSON.stringify({ generated_at: now.toISOString(), lang, ...read });
    return `${more.slice(0, -1)},${variables.trim().slice(1)}`;
  }

  private async readFor(scope: TemplateScope, id: string, body: string): Promise<Record<string, unknown>> {
    const named = this.subjects.readersFor(scope).filter(({ names }) => names.some((name) => body.includes(name)));
    const read: Record<string, unknown>[] = [];
    for (const reader of named) read.push(await reader.read(id));
    return Object.assign({}, ...read) as Record<string, unknown>;
  }
}
