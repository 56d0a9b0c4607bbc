import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { viewSchema } from '../../../platform/http/openapi/schemas.js';
import { TransactionalPut } from '../../../platform/http/requests/transactional-routes.js';
import { AlertTermsBody, ReplaceAlertTermsDto } from './alert-term.dto.js';
import type { AlertTermView } from './alert-terms.repository.js';
import { AlertTermsService } from './alert-terms.service.js';
import { alertList } from './alert.list.js';
import { alertTermView } from './alert.view.js';
import { AlertsService } from './alerts.service.js';

const Id = () => Param('id', PathId('organization'));
const path = { id: 'organization' } as const;
const terms = { type: 'array', items: viewSchema(alertTermView) };

@ApiTags('Organizations')
@Controller('organizations/:id')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly alertTerms: AlertTermsService,
  ) {}

  @Get('alert-terms')
  @Operation('organizations_alert_terms_list', {
    summary: 'List alert terms',
    description: 'Returns all terms in alphabetical order.',
    path,
    response: terms,
  })
  listTerms(@CurrentCaller() me: Caller, @Id() id: string): Promise<AlertTermView[]> {
    return this.alertTerms.list(me, id);
  }

  @TransactionalPut('alert-terms')
  @Operation('organizations_alert_terms_replace', {
    summary: 'Update alert terms',
    description:
      'Replaces all terms; null or an empty list removes them. The body can also be the list itself, or null. ' +
      'New texts in the endeavours of the organization, and messages to the whole organization, are searched ' +
      'for the terms as whole words, ignoring case. Matches are reported to the admins of the organization. ' +
      'Texts are never blocked.',
    path,
    body: ReplaceAlertTermsDto,
    response: terms,
    refuses: ['archived', 'precondition_failed'],
  })
  replaceTerms(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(AlertTermsBody()) dto: ReplaceAlertTermsDto,
  ): Promise<AlertTermView[]> {
    return this.alertTerms.replace(me, id, dto.terms);
  }

  @Get('alerts')
  @Operation('organizations_alerts_list', {
    summary: 'List alerts',
    path,
    list: alertList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.alerts.list(me, id, query);
  }
}
