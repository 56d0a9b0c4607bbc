import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Delete } from '../../platform/http/routes.js';
import { exactly } from '../../platform/http/schemas.js';
import { OwnSessions } from './own-sessions.service.js';
import { sessionList } from './session.list.js';

const ended = exactly({ ended: { type: 'integer', description: 'How many sessions have ended.' } });

@ApiTags('Auth')
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: OwnSessions) {}

  @Get()
  @Operation('auth_sessions_list', {
    summary: 'List sessions',
    description: 'Where you are signed in: your live sessions, at most 20.',
    list: sessionList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.sessions.list(me, query);
  }

  @Delete()
  @Operation('auth_sessions_delete_others', {
    summary: 'End all other sessions',
    description: 'The session that asks stays. The tokens of the others are dead, everywhere, when the answer leaves.',
    answer: ended,
  })
  endOthers(@Me() me: Caller): Promise<{ ended: number }> {
    return this.sessions.endOthers(me);
  }

  @Delete(':id')
  @Operation('auth_sessions_delete', {
    summary: 'End a session',
    description: 'One of your own; the current one as well. Its token is dead, everywhere, when the answer leaves.',
    path: { id: 'session' },
    answer: ended,
  })
  end(@Me() me: Caller, @Param('id', bodies.PathId('session')) id: string): Promise<{ ended: number }> {
    return this.sessions.end(me, id);
  }
}
