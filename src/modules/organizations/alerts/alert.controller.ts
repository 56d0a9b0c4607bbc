import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import { alertView } from './alert.view.js';
import { AlertsService } from './alerts.service.js';

@ApiTags('Organizations')
@Controller('alerts')
export class AlertController {
  constructor(private readonly alerts: AlertsService) {}

  @Get(':id')
  @Operation('alerts_get', {
    summary: 'Get alert',
    description: 'Returns the term and the text around it. Returns 404 if you cannot see the entity that contains it.',
    path: { id: 'alert' },
    resource: alertView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('alert')) id: string,
    @Fields(alertView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.alerts.get(me, id, fields);
  }
}
