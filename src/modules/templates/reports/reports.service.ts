import { Injectable } from '@nestjs/common';
import { Access, type Found } from '../../../access/access.js';
import type { Caller } from '../../../access/caller.js';
import { visible } from '../../../access/visibility.js';
import { conflict, invalidField, invalidInput, notFound, referenceNotFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { describeFault } from '../liquid/faults.js';
import { Renderer } from '../liquid/renderer.js';
import type { PreviewDto } from '../template.dto.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { ReportSubjects } from './report-subjects.js';

/** A finished report. */
export interface Report {
  scope: TemplateScope;
  entity_id: string;
  template_id: string;
  title: string;
  markdown: string;
  generated_at: string;
}

/** How the template is chosen: this one, or the newest in that language. */
export interface Choice {
  templateId?: string;
  lang?: string;
}

interface Chosen {
  id: string;
  name: string;
  scope: TemplateScope;
  lang: string;
  body: string;
}

const CHOSEN = 'SELECT p.id, p.name, p.scope, p.lang, p.body FROM templates p';

/** Renders templates about things that the caller may see. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly renderer: Renderer,
    private readonly subjects: ReportSubjects,
  ) {}

  /** A report about a thing, 404 where it is not visible or of another kind than the scope. */
  async report(me: Caller, scope: TemplateScope, id: string, { templateId, lang }: Choice): Promise<Report> {
    const subject = isId(scope, id) ? await this.access.look(me, id) : undefined;
    if (subject === undefined) throw notFound();
    const template = templateId === undefined ? undefined : await this.visibleTemplate(me, templateId);
    if (templateId !== undefined && template === undefined) throw invalidInput([referenceNotFound('template_id')]);
    if (template !== undefined && template.scope !== scope) {
      throw invalidField(
        'template_id',
        'invalid_value',
        `The template is about a thing of the kind ${template.scope}.`,
      );
    }
    return this.render(me, template ?? (await this.newestTemplate(me, scope, id, lang)), subject, 'template_id');
  }

  /** The same with a template that is being written. 404 where the template is not visible. */
  async preview(me: Caller, id: string, { entity_id, body }: PreviewDto): Promise<Report> {
    const template = await this.visibleTemplate(me, id);
    if (template === undefined) throw notFound();
    const subject = isId(template.scope, entity_id) ? await this.access.look(me, entity_id) : undefined;
    if (subject === undefined) throw invalidInput([referenceNotFound('entity_id')]);
    return this.render(me, { ...template, body: body ?? template.body }, subject, 'body');
  }

  private async render(me: Caller, template: Chosen, subject: Found, field: string): Promise<Report> {
    const { id: template_id, name, scope, lang, body } = template;
    const generated_at = this.clock.now().toISOString();
    const variables = await this.variablesOf(me, scope, subject.id, { generated_at, lang });
    const outcome = await this.renderer.render(body, variables);
    if ('fault' in outcome) throw invalidField(field, 'invalid_format', describeFault(field, outcome.fault));
    const title = `${name}: ${subject.title}`;
    return { scope, entity_id: subject.id, template_id, title, markdown: outcome.text, generated_at };
  }

  /** Stays text, because nothing but the renderer has to read it. */
  private async variablesOf(
    me: Caller,
    scope: TemplateScope,
    id: string,
    more: { generated_at: string; lang: string },
  ): Promise<string> {
    const sql = this.subjects.statementFor(scope);
    const row = await this.database.one<{ variables: string }>(sql, [me.userId, id, more.generated_at]);
    if (row === undefined) throw new Error('an aggregate yields a row');
    return `${JSON.stringify(more).slice(0, -1)},${row.variables.trim().slice(1)}`;
  }

  private async visibleTemplate(me: Caller, id: string): Promise<Chosen | undefined> {
    if ((await this.access.look(me, id)) === undefined) return undefined;
    return this.database.one<Chosen>(`${CHOSEN} WHERE p.id = $1`, [id]);
  }

  /**
   * The newest active report template in the first language that has one: the asked one, the endeavour's, English.
   * Seen with the eyes of an ordinary user, so that an administrator does not get somebody's personal copy.
   */
  private async newestTemplate(me: Caller, scope: TemplateScope, id: string, lang?: string): Promise<Chosen> {
    const home = await this.database.one<{ lang: string }>(
      'SELECT e.lang FROM entities x JOIN endeavours e ON e.id = x.endeavour_id WHERE x.id = $1',
      [id],
    );
    const template = await this.database.one<Chosen>(
      `${CHOSEN} WHERE p.scope = $2 AND p.type = 'report' AND p.status = 'active' AND lower(p.lang) = ANY($3::text[])
         AND EXISTS (SELECT 1 FROM entities x WHERE x.id = p.id AND ${visible('x')})
       ORDER BY array_position($3::text[], lower(p.lang)), p.created_at DESC, p.id DESC LIMIT 1`,
      [me.userId, scope, languages(lang, home?.lang, 'en')],
    );
    if (template === undefined) throw conflict('no_template', `There is no report template for a ${scope} yet.`);
    return template;
  }
}

/** `de-CH` is served by a template in `de` too. */
function languages(...tags: (string | undefined)[]): string[] {
  const known = tags.filter((tag) => tag !== undefined).map((tag) => tag.toLowerCase());
  return [...new Set(known.flatMap((tag) => [tag, tag.split('-')[0]]))];
}
