import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { RenderOutcome } from '../liquid/engine.js';
import type { PageSources } from '../page/page-pictures.js';
import { Renderer } from '../liquid/renderer.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { ReportSubjects } from './report-subjects.js';
import { ReportsRepository } from './reports.repository.js';

/** The entity that a template is rendered for, with the language and time. */
export interface ReportSubject {
  scope: TemplateScope;
  id: string;
  lang: string;
  now: Date;
}

/** Renders templates with the variables of entities. */
@Injectable()
export class TemplateRenderer {
  constructor(
    private readonly database: Database,
    private readonly renderer: Renderer,
    private readonly repository: ReportsRepository,
    private readonly subjects: ReportSubjects,
  ) {}

  /**
   * Renders the body. `user` determines the place in the queue and the visibility of the variables. `readPage` reads
   * the data of the pictures in a page, in the user's slot of the queue.
   */
  render(
    user: string,
    subject: ReportSubject,
    body: string,
    readPage?: () => Promise<PageSources>,
  ): Promise<RenderOutcome> {
    const read = async () => ({ page: await readPage?.(), variables: await this.variablesOf(user, subject, body) });
    return this.renderer.render(user, body, () => this.database.report(read));
  }

  /** The variables as JSON text, which is not parsed because only the renderer process reads it. */
  private async variablesOf(user: string, { scope, id, lang, now }: ReportSubject, body: string): Promise<string> {
    const variables = await this.repository.readVariables(this.subjects.variablesFor(scope), user, { id, now });
    const values = await this.readFor(scope, id, body);
    const more = JSON.stringify({ generated_at: now.toISOString(), lang, ...values });
    return `${more.slice(0, -1)},${variables.trim().slice(1)}`;
  }

  private async readFor(scope: TemplateScope, id: string, body: string): Promise<Record<string, unknown>> {
    const readers = this.subjects.readersFor(scope).filter(({ names }) => names.some((name) => body.includes(name)));
    const values: Record<string, unknown>[] = [];
    for (const reader of readers) values.push(await reader.read(id));
    return Object.assign({}, ...values) as Record<string, unknown>;
  }
}
