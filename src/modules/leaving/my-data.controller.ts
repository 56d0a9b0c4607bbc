import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { Exports } from '../../platform/contents/exports.js';
import { Streams } from '../../platform/http/marks.js';
import { component, exactly, viewSchema } from '../../platform/http/schemas.js';
import { resourceView } from '../resources/resource.view.js';
import { userView } from '../users/user.view.js';
import { MY_DATA } from './my-data.parts.js';

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
  @Operation('auth_my_data', {
    summary: 'Export my data',
    description:
      'Everything about you as one JSON document, streamed from one snapshot: your account, sessions and roles, and ' +
      'what you made, were given, wrote and got. Of things that you no longer see only ids, dates and your own texts. ' +
      'One export at a time for each user.',
    document,
  })
  send(@Me() me: Caller, @Res() reply: FastifyReply): Promise<void> {
    return this.exports.send(me, reply, {
      id: me.userId,
      kind: 'person',
      endeavours: () => [],
      homes: () => [],
      parts: MY_DATA,
    });
  }
}
