import { Controller, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { PathId } from '../../platform/http/bodies/body.pipe.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalDelete, TransactionalPut } from '../../platform/http/requests/transactional-routes.js';
import { WATCHED_KINDS, type WatchedKind } from './watched-kinds.js';
import { WatchesService, type WatchState } from './watches.service.js';

const stateSchema = component(
  'Watch',
  exactly({
    entity_id: { type: 'string', pattern: '^(?:tsk|dmd|edv)_[0-9a-f]{32}$' },
    watching: { type: 'boolean', description: 'Whether you watch it.' },
  }),
);

const TAGS = { task: 'Tasks', demand: 'Demands', endeavour: 'Endeavours' };

/** Creates the controller of /{kinds}/{id}/watch. */
function watchesOf(kind: WatchedKind): Type {
  @ApiTags(TAGS[kind])
  @Controller(`${kind}s/:id/watch`)
  class WatchController {
    constructor(private readonly watches: WatchesService) {}

    @TransactionalPut()
    @Operation(`${kind}s_watch_put`, {
      summary: `Watch ${kind}`,
      description:
        'What others do to it concerns you from now on, as if you owned it: in GET /changes?about=me and in notifications ' +
        '(`watching`).',
      path: { id: kind },
      response: stateSchema,
    })
    watch(@CurrentCaller() me: Caller, @Param('id', PathId(kind)) id: string): Promise<WatchState> {
      return this.watches.set(me, `${kind}s_watch_put`, id, true);
    }

    @TransactionalDelete()
    @Operation(`${kind}s_watch_remove`, {
      summary: `Stop watching ${kind}`,
      description: 'Comments and mentions no longer make you watch it.',
      path: { id: kind },
      response: stateSchema,
    })
    stop(@CurrentCaller() me: Caller, @Param('id', PathId(kind)) id: string): Promise<WatchState> {
      return this.watches.set(me, `${kind}s_watch_remove`, id, false);
    }
  }
  return WatchController;
}

export const WATCH_CONTROLLERS: Type[] = WATCHED_KINDS.map(watchesOf);
