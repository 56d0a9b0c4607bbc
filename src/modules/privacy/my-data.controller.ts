import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { Exports } from '../../platform/containment/exports.js';
import { Streams } from '../../platform/http/server/route-metadata.js';
import { component, exactly, viewSchema } from '../../platform/http/openapi/schemas.js';
import { resourceView } from '../resources/resource.view.js';
import { userView } from '../users/user.view.js';
import { MY_DATA } from './my-data.view.js';

const lists = MY_DATA.filter(({ isList }) => isList).map(({ name }) => [
  name,
  { type: 'array', items: { type: 'object' } },
]);

const document = component(
  'MyData',
  exactly({
    version: { const: 1 },
    exported_at: { type: 'string', format: 'date-time' },
    kind: { const: 'person' },
    user: viewSchema(userView),
    resource: viewSchema(resourceView),
    ...Object.fromEntries(lists),
  }),
);

@ApiTags('Auth')
@Controller('auth/my-data')
export class MyDataController {
  constructor(private readonly exports: Exports) {}

  @Get()
  @Streams(true)
  @Operation('auth_my_data_get', {
    summary: 'Export my data',
    description:
      'Returns all data about you as one JSON document, streamed from one snapshot of the database: your ' +
      'account, sessions and roles, and everything that you created, wrote, received or were assigned. For ' +
      'entities that you can no longer see, it contains only ids, dates and your own texts. Each user can run ' +
      'one export at a time.',
    file: document,
    readsStandby: true,
  })
  send(@CurrentCaller() me: Caller, @Res() reply: FastifyReply): Promise<void> {
    return this.exports.send(me, reply, {
      id: me.userId,
      kind: 'person',
      endeavours: () => [],
      homes: () => [],
      parts: MY_DATA,
    });
  }
}
