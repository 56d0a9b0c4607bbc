import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/caller.js';
import { Me } from '../../../access/me.js';
import { Operation } from '../../../access/operation.js';
import { notFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { isLanguageTag } from '../../../common/time.js';
import { readQuery, type QueryReaders } from '../../../platform/http/plain-query.js';
import { Query, type RawQuery } from '../../../platform/http/raw-query.js';
import { TEMPLATE_SCOPES, type TemplateScope } from '../template.lifecycle.js';
import { reportSchema } from './report.schema.js';
import { ReportsService, type Report } from './reports.service.js';
import { VARIABLES } from './work-subjects.js';

const query: QueryReaders = {
  template_id: (raw) =>
    isId('template', raw)
      ? { value: raw }
      : { code: 'invalid_format', message: 'template_id takes the id of a template (tpl_...).' },
  lang: (raw) =>
    isLanguageTag(raw) ? { value: raw } : { code: 'invalid_format', message: 'lang takes a BCP 47 language tag.' },
};

@ApiTags('Templates')
@Controller('reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get(':scope/:id')
  @ApiParam({ name: 'scope', enum: TEMPLATE_SCOPES, description: 'The kind of thing; id must be one of that kind.' })
  @Operation('reports_get', {
    summary: 'Report about a thing',
    description: `Renders a report template, in Markdown: the given one, else the newest active one of the scope that you may see, in the asked language, the endeavour's, or English. A conflict with the reason \`no_template\` says that there is none. What templates can use:\n\n${VARIABLES}`,
    path: { id: 'task' },
    query: {
      template_id: { description: 'Render this template.', schema: { type: 'string' } },
      lang: { description: 'Prefer templates in this language.', schema: { type: 'string', examples: ['de'] } },
    },
    answer: reportSchema,
    refuses: ['conflict'],
  })
  get(
    @Me() me: Caller,
    @Param('scope') scope: string,
    @Param('id') id: string,
    @Query() sent: RawQuery,
  ): Promise<Report> {
    const values = readQuery(sent, query) as Map<string, string>;
    if (!TEMPLATE_SCOPES.includes(scope as TemplateScope)) throw notFound();
    const choice = { templateId: values.get('template_id'), lang: values.get('lang') };
    return this.reports.report(me, scope as TemplateScope, id, choice);
  }
}
