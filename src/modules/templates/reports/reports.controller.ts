import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { notFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { isLanguageTag } from '../../../common/time.js';
import { idOf } from '../../../platform/http/bodies/fields/links.js';
import { prefersType } from '../../../platform/http/requests/negotiation.js';
import { readQuery, type QueryReaders } from '../../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { TEMPLATE_SCOPES, type TemplateScope } from '../template.lifecycle.js';
import { reportSchema } from './report.schema.js';
import { ReportsService, type Report } from './reports.service.js';
import { VARIABLES } from './variables.text.js';

const HTML = 'text/html';

const readers: QueryReaders = {
  template_id: (raw) =>
    isId('template', raw)
      ? { value: raw }
      : { code: 'invalid_format', message: 'template_id must be the id of a template (tpl_...).' },
  lang: (raw) =>
    isLanguageTag(raw) ? { value: raw } : { code: 'invalid_format', message: 'lang must be a BCP 47 language tag.' },
};

const ABOUT =
  'Renders a report template in Markdown. Without template_id, the newest active template of the scope is ' +
  'used: first those of the home organization, then global ones, each in the requested language, the ' +
  'language of the endeavour, or English. With `Accept: text/html`, the report is a standalone page that ' +
  'loads no other files and can be printed. If the type of the template is report, the page also has pictures: the ' +
  'tasks by status; for an endeavour the cumulative flow, the trend, and the dependency graph or an excerpt of it; and ' +
  'for a task the graph of its dependencies. At most two reports of a user are rendered at the same time; ' +
  'further ones wait. Returns 409 `no_template` if there is no template. Variables for ' +
  `templates:\n\n${VARIABLES}`;

@ApiTags('Templates')
@Controller('reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get(':scope/:id')
  @ApiParam({ name: 'scope', enum: TEMPLATE_SCOPES, description: 'The kind of the entity with this id.' })
  @Operation('reports_get', {
    summary: 'Get report',
    description: ABOUT,
    path: { id: 'task' },
    query: {
      template_id: { description: 'Render this template.', schema: idOf('template') },
      lang: { description: 'Prefer templates in this language.', schema: { type: 'string', examples: ['de'] } },
    },
    response: reportSchema,
    otherTypes: [HTML],
    refuses: ['conflict'],
    readsStandby: true,
  })
  get(
    @CurrentCaller() me: Caller,
    @Param('scope') scope: string,
    @Param('id') id: string,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<Report | RawResponse> {
    const values = readQuery(query, readers) as Map<string, string>;
    if (!TEMPLATE_SCOPES.includes(scope as TemplateScope)) throw notFound();
    const choice = { templateId: values.get('template_id'), lang: values.get('lang') };
    const request = [me, scope as TemplateScope, id, choice] as const;
    return prefersType(accept, HTML, 'application/json')
      ? this.reports.page(...request)
      : this.reports.report(...request);
  }
}
