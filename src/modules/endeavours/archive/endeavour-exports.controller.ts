import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { exportSchema } from '../../../platform/containment/export.schema.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import { Streams } from '../../../platform/http/server/route-metadata.js';
import { EndeavourExportsService } from './endeavour-exports.service.js';
import { endeavourView } from '../endeavour.view.js';

@ApiTags('Endeavours')
@Controller('endeavours/:id/export')
export class EndeavourExportsController {
  constructor(private readonly exports: EndeavourExportsService) {}

  @Get()
  @Streams(true)
  @Operation('endeavours_export_get', {
    summary: 'Export endeavour data',
    description:
      'Returns the endeavour and all of its contents as one JSON document, streamed as an attachment from one ' +
      'snapshot of the database. The document does not identify entities outside the endeavour. Each user can ' +
      'run one export at a time.',
    path: { id: 'endeavour' },
    file: exportSchema('endeavour', endeavourView),
    readsStandby: true,
  })
  send(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('endeavour')) id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.exports.send(me, id, reply);
  }
}
