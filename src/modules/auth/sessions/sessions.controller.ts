import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { TransactionalDelete } from '../../../platform/http/requests/transactional-routes.js';
import { exactly } from '../../../platform/http/openapi/schemas.js';
import { OwnSessionsService } from './own-sessions.service.js';
import { sessionList } from './session.list.js';

const ended = exactly({ ended: { type: 'integer', description: 'The number of sessions that were ended.' } });

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  @Get()
  @Operation('auth_sessions_list', {
    summary: 'List sessions',
    description: 'Returns your active sessions, at most 20.',
    list: sessionList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.sessions.list(me, query);
  }

  @TransactionalDelete()
  @Operation('auth_sessions_delete_others', {
    summary: 'End all other sessions',
    description:
      'Keeps the session of this request. The tokens of the other sessions are invalid on every replica before ' +
      'the response is sent.',
    response: ended,
  })
  endOthers(@CurrentCaller() me: Caller): Promise<{ ended: number }> {
    return this.sessions.endOthers(me);
  }

  @TransactionalDelete(':id')
  @Operation('auth_sessions_delete', {
    summary: 'End a session',
    description:
      'Ends one of your own sessions, which may be the current one. Its token is invalid on every replica ' +
      'before the response is sent.',
    path: { id: 'session' },
    response: ended,
  })
  end(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('session')) id: string): Promise<{ ended: number }> {
    return this.sessions.end(me, id);
  }
}
