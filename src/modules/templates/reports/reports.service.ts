import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict, invalidField, invalidInput, notFound, referenceNotFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { describeTemplateError } from '../liquid/template-errors.js';
import type { PreviewDto } from '../template.dto.js';
import type { TemplateScope } from '../template.lifecycle.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import type { PageSources } from '../page/page-pictures.js';
import { PageSourcesReader } from './page-sources-reader.js';
import { reportPage } from './report-page.js';
import { ReportsRepository, type TemplateSource } from './reports.repository.js';
import { TemplateRenderer } from './template-renderer.js';

/** A finished report. */
export interface Report {
  scope: TemplateScope;
  entity_id: string;
  template_id: string;
  title: string;
  markdown: string;
  generated_at: string;
}

/** The requested template, or the preferred language if none is requested. */
export interface TemplateChoice {
  templateId?: string;
  lang?: string;
}

/** Renders templates for entities that are visible to the caller. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly renderer: TemplateRenderer,
    private readonly repository: ReportsRepository,
    private readonly sources: PageSourcesReader,
  ) {}

  /** Renders a report; 404 if the entity is invisible or of another kind than the scope. */
  async report(me: Caller, scope: TemplateScope, id: string, choice: TemplateChoice): Promise<Report> {
    const { subject, template } = await this.choose(me, scope, id, choice);
    return (await this.render(me, template, subject, 'template_id')).report;
  }

  /** Renders a report as a stand-alone page. */
  async page(me: Caller, scope: TemplateScope, id: string, choice: TemplateChoice): Promise<RawResponse> {
    const { subject, template } = await this.choose(me, scope, id, choice);
    const readPage = () => this.sources.read(me, subject, template);
    const { report, html } = await this.render(me, template, subject, 'template_id', readPage);
    return reportPage({ title: report.title, lang: template.lang, html });
  }

  private async choose(
    me: Caller,
    scope: TemplateScope,
    id: string,
    { templateId, lang }: TemplateChoice,
  ): Promise<{ subject: AuthorizedResource; template: TemplateSource }> {
    const subject = isId(scope, id) ? await this.access.find(me, id) : undefined;
    if (subject === undefined) throw notFound();
    const template = templateId === undefined ? undefined : await this.visibleTemplate(me, templateId);
    if (templateId !== undefined && template === undefined) throw invalidInput([referenceNotFound('template_id')]);
    if (template !== undefined && template.scope !== scope) {
      throw invalidField('template_id', 'invalid_value', `This template is for the scope ${template.scope}.`);
    }
    return { subject, template: template ?? (await this.newestTemplate(scope, id, lang)) };
  }

  /** Renders a report with an unsaved body; 404 if the template is not visible. */
  async preview(me: Caller, id: string, { entity_id, body }: PreviewDto): Promise<Report> {
    const template = await this.visibleTemplate(me, id);
    if (template === undefined) throw notFound();
    const subject = isId(template.scope, entity_id) ? await this.access.find(me, entity_id) : undefined;
    if (subject === undefined) throw invalidInput([referenceNotFound('entity_id')]);
    return (await this.render(me, { ...template, body: body ?? template.body }, subject, 'body')).report;
  }

  private async render(
    me: Caller,
    template: TemplateSource,
    subject: AuthorizedResource,
    field: string,
    readPage?: () => Promise<PageSources>,
  ): Promise<{ report: Report; html: string }> {
    const { id: template_id, name, scope, lang, body } = template;
    const now = this.clock.now();
    const outcome = await this.renderer.render(me.userId, { scope, id: subject.id, lang, now }, body, readPage);
    if ('error' in outcome) throw invalidField(field, 'invalid_format', describeTemplateError(field, outcome.error));
    const title = `${name}: ${subject.title}`;
    const generated_at = now.toISOString();
    const report = { scope, entity_id: subject.id, template_id, title, markdown: outcome.text, generated_at };
    return { report, html: outcome.html ?? '' };
  }

  private async visibleTemplate(me: Caller, id: string): Promise<TemplateSource | undefined> {
    if ((await this.access.find(me, id)) === undefined) return undefined;
    return this.repository.findTemplate(id);
  }

  /**
   * The newest active report template of the home organization, or a global one, in the first available language:
   * the requested one, that of the endeavour, English.
   */
  private async newestTemplate(scope: TemplateScope, id: string, lang?: string): Promise<TemplateSource> {
    const home = await this.repository.findHome(id);
    const template = await this.repository.findNewest({
      scope,
      languages: languages(lang, home?.lang ?? undefined, 'en'),
      organizationId: home?.organizationId ?? null,
    });
    if (template === undefined) throw conflict('no_template', `No report template exists for the scope ${scope}.`);
    return template;
  }
}

/** The languages in lower case; each tag such as `de-CH` is followed by its language `de`. */
function languages(...tags: (string | undefined)[]): string[] {
  const known = tags.filter((tag) => tag !== undefined).map((tag) => tag.toLowerCase());
  return [...new Set(known.flatMap((tag) => [tag, tag.split('-')[0]]))];
}
