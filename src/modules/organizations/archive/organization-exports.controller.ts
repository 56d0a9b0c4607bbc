import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { exportSchema } from '../../../platform/containment/export.schema.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import { Streams } from '../../../platform/http/server/route-metadata.js';
import { OrganizationExportsService } from './organization-exports.service.js';
import { organizationView } from '../organization.view.js';

@ApiTags('Organizations')
@Controller('organizations/:id/export')
export class OrganizationExportsController {
  constructor(private readonly exports: OrganizationExportsService) {}

  @Get()
  @Streams(true)
  @Operation('organizations_export_get', {
    summary: 'Export organization data',
    description:
      'Returns one JSON document, streamed as an attachment from one snapshot of the database: the organization ' +
      'and the endeavours whose home it is, with their members and all of their contents. Of other endeavours, ' +
      'it contains only the names. The document does not identify entities of other organizations. Each user ' +
      'can run one export at a time.',
    path: { id: 'organization' },
    file: exportSchema('organization', organizationView),
    readsStandby: true,
  })
  send(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('organization')) id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.exports.send(me, id, reply);
  }
}
