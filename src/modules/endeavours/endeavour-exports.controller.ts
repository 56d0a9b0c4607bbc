import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { exportSchema } from '../../platform/contents/export.schema.js';
import { PathId } from '../../platform/http/body.pipe.js';
import { Streams } from '../../platform/http/marks.js';
import { EndeavourExportsService } from './endeavour-exports.service.js';
import { endeavourView } from './endeavour.view.js';

@ApiTags('Endeavours')
@Controller('endeavours/:id/export')
export class EndeavourExportsController {
  constructor(private readonly exports: EndeavourExportsService) {}

  @Get()
  @Streams(true)
  @Operation('endeavours_export', {
    summary: 'Export endeavour data',
    description:
      'One JSON document as an attachment, streamed from one snapshot: the endeavour and all that lies in it, each as ' +
      'its representation. Nothing in it names or identifies a thing outside. One export at a time for each user.',
    path: { id: 'endeavour' },
    document: exportSchema('endeavour', endeavourView),
  })
  send(@Me() me: Caller, @Param('id', PathId('endeavour')) id: string, @Res() reply: FastifyReply): Promise<void> {
    return this.exports.send(me, id, reply);
  }
}
