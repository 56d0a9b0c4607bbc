import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/caller.js';
import { Me } from '../../../access/me.js';
import { Operation } from '../../../access/operation.js';
import { notFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { isLanguageTag } from '../../../common/time.js';
import { idOf } from '../../../platform/http/fields/links.js';
import { prefersType } from '../../../platform/http/negotiation.js';
import { readQuery, type QueryReaders } from '../../../platform/http/plain-query.js';
import { Query, type RawQuery } from '../../../platform/http/raw-query.js';
import type { Rendered } from '../../../platform/http/rendered.js';
import { TEMPLATE_SCOPES, type TemplateScope } from '../template.lifecycle.js';
import { reportSchema } from './report.schema.js';
import { ReportsService, type Report } from './reports.service.js';
import { VARIABLES } from './work-subjects.js';

const HTML = 'text/html';

const query: QueryReaders = {
  template_id: (raw) =>
    isId('template', raw)
      ? { value: raw }
      : { code: 'invalid_format', message: 'template_id takes the id of a template (tpl_...).' },
  lang: (raw) =>
    isLanguageTag(raw) ? { value: raw } : { code: 'invalid_format', message: 'lang takes a BCP 47 language tag.' },
};

const ABOUT = `Renders a report template, in Markdown: the given one, else the newest active one of the scope that belongs to the home organization, else a global one; of these in the asked language, the endeavour's, or English. With \`Accept: text/html\` it comes as a page of its own, which loads nothing else and can be printed. Users take turns: two reports of a user are rendered at once. A conflict with the reason \`no_template\` says that there is none. What templates can use:\n\n${VARIABLES}`;

@ApiTags('Templates')
@Controller('reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get(':scope/:id')
  @ApiParam({ name: 'scope', enum: TEMPLATE_SCOPES, description: 'The kind of thing; id must be one of that kind.' })
  @Operation('reports_get', {
    summary: 'Report about a thing',
    description: ABOUT,
    path: { id: 'task' },
    query: {
      template_id: { description: 'Render this template.', schema: idOf('template') },
      lang: { description: 'Prefer templates in this language.', schema: { type: 'string', examples: ['de'] } },
    },
    answer: reportSchema,
    otherTypes: [HTML],
    refuses: ['conflict'],
  })
  get(
    @Me() me: Caller,
    @Param('scope') scope: string,
    @Param('id') id: string,
    @Query() sent: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<Report | Rendered> {
    const values = readQuery(sent, query) as Map<string, string>;
    if (!TEMPLATE_SCOPES.includes(scope as TemplateScope)) throw notFound();
    const choice = { templateId: values.get('template_id'), lang: values.get('lang') };
    const about = [me, scope as TemplateScope, id, choice] as const;
    return prefersType(accept, HTML, 'application/json') ? this.reports.page(...about) : this.reports.report(...about);
  }
}
