import { Body, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { lineageSchema } from '../../access/visibility/lineage.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import { OnlyReads, OwnTransactions } from '../../platform/http/server/route-metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { reportSchema } from './reports/report.schema.js';
import { ReportsService, type Report } from './reports/reports.service.js';
import { VARIABLES } from './reports/variables.text.js';
import { CreateTemplateDto, ForkTemplateDto, PreviewDto, UpdateTemplateDto } from './template.dto.js';
import { templateList } from './template.list.js';
import { templateView } from './template.view.js';
import { TemplateLimiter } from './template-limiter.js';
import { TemplatesService } from './templates.service.js';

const representation = Object.keys(templateView.fields);
const Id = () => Param('id', bodies.PathId('template'));
const path = { id: 'template' } as const;

@ApiTags('Templates')
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly reports: ReportsService,
  ) {}

  @Get()
  @Operation('templates_list', { summary: 'List templates', list: templateList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.templates.list(me, query);
  }

  @TransactionalPost()
  @UseInterceptors(TemplateLimiter)
  @Operation('templates_create', {
    summary: 'Create template',
    description: `The body is Markdown with Liquid. Variables for templates:\n\n${VARIABLES}`,
    status: 201,
    body: CreateTemplateDto,
    response: templateView,
    refuses: ['archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateTemplateDto, { representation })) dto: CreateTemplateDto,
  ): Promise<Representation> {
    return this.templates.create(me, dto);
  }

  @Get(':id')
  @Operation('templates_get', { summary: 'Get template', path, resource: templateView })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(templateView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.templates.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @UseInterceptors(TemplateLimiter)
  @Operation('templates_update', {
    summary: 'Update template',
    description:
      'Updates the template in place (JSON merge patch). Built-in templates cannot be changed (409 built_in); ' +
      'fork them instead.',
    path,
    body: UpdateTemplateDto,
    response: templateView,
    refuses: ['conflict', 'archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateTemplateDto, { representation })) dto: UpdateTemplateDto,
  ): Promise<Representation> {
    return this.templates.update(me, id, dto);
  }

  @TransactionalPost(':id/fork')
  @UseInterceptors(TemplateLimiter)
  @Operation('templates_fork', {
    summary: 'Fork template',
    description:
      'Creates a new template with the next version number. Properties that you send replace those of the source.',
    status: 201,
    createdIn: '/templates',
    path,
    body: ForkTemplateDto,
    bodyOptional: true,
    response: templateView,
    refuses: ['forbidden', 'archived', 'precondition_failed'],
  })
  fork(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(ForkTemplateDto, { representation })) dto: ForkTemplateDto,
  ): Promise<Representation> {
    return this.templates.fork(me, id, dto);
  }

  @Get(':id/lineage')
  @Operation('templates_lineage_list', {
    summary: 'Get template lineage',
    description:
      'Returns the earlier versions and this one, oldest first. Of versions that are not visible to you, only ' +
      'the version number is returned.',
    path,
    response: lineageSchema(templateView),
  })
  lineage(@CurrentCaller() me: Caller, @Id() id: string): Promise<unknown[]> {
    return this.templates.chain(me, id);
  }

  @TransactionalPost(':id/preview')
  @OwnTransactions(true)
  @OnlyReads(true)
  @Operation('templates_preview', {
    summary: 'Preview template',
    description:
      'Renders the saved body, or the body that you send, for an entity that is visible to you. Nothing is stored.',
    path,
    body: PreviewDto,
    response: reportSchema,
  })
  preview(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(PreviewDto)) dto: PreviewDto,
  ): Promise<Report> {
    return this.reports.preview(me, id, dto);
  }
}
