import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { exportSchema } from '../../platform/contents/export.schema.js';
import { PathId } from '../../platform/http/body.pipe.js';
import { Streams } from '../../platform/http/marks.js';
import { OrganizationExportsService } from './organization-exports.service.js';
import { organizationView } from './organization.view.js';

@ApiTags('Organizations')
@Controller('organizations/:id/export')
export class OrganizationExportsController {
  constructor(private readonly exports: OrganizationExportsService) {}

  @Get()
  @Streams(true)
  @Operation('organizations_export', {
    summary: 'Export organization data',
    description:
      'One JSON document as an attachment, streamed from one snapshot: the organization, the endeavours whose home it ' +
      'is, each with its members, and all that lies in them, as its representation. Of other endeavours only the ' +
      'names. Nothing in it names or identifies a thing of another organization. One export at a time for each user.',
    path: { id: 'organization' },
    document: exportSchema('organization', organizationView),
  })
  send(@Me() me: Caller, @Param('id', PathId('organization')) id: string, @Res() reply: FastifyReply): Promise<void> {
    return this.exports.send(me, id, reply);
  }
}
