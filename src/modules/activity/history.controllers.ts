import { Controller, Get, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { OperationId } from '../../access/permissions.js';
import type { Kind } from '../../common/kinds.js';
import { withArticle } from '../../common/text.js';
import { PathId } from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import { historyList } from './history.list.js';
import { HistoryService } from './history.service.js';

const documented = historyList();

/** Creates the controller of GET /{path}/{id}/changes for a kind of entity. */
function historyOf(path: string, kind: Kind, operation: OperationId): Type {
  @ApiTags('Changes')
  @Controller(`${path}/:id/changes`)
  class HistoryController {
    constructor(private readonly history: HistoryService) {}

    @Get()
    @Operation(operation, {
      summary: `List changes of ${withArticle(kind)}`,
      description:
        'Newest first. previous contains the previous values of the changed properties. Events that are older ' +
        'than the retention period of the feed are kept only if they record a creation, a deletion, a status ' +
        'change, or a change of a version.',
      path: { id: kind },
      list: documented,
    })
    list(
      @CurrentCaller() me: Caller,
      @Param('id', PathId(kind)) id: string,
      @QueryParameters() query: RawQuery,
    ): Promise<Page> {
      return this.history.page(me, kind, id, query);
    }
  }
  return HistoryController;
}

export const HISTORY_CONTROLLERS: Type[] = [
  historyOf('approvals', 'approval', 'approvals_changes'),
  historyOf('artifacts', 'artifact', 'artifacts_changes'),
  historyOf('comments', 'comment', 'comments_changes'),
  historyOf('demands', 'demand', 'demands_changes'),
  historyOf('dod-checks', 'dod_check', 'dod_checks_changes'),
  historyOf('dod-endorsements', 'dod_endorsement', 'dod_endorsements_changes'),
  historyOf('dod-policies', 'dod_policy', 'dod_policies_changes'),
  historyOf('dod-results', 'dod_result', 'dod_results_changes'),
  historyOf('endeavours', 'endeavour', 'endeavours_changes'),
  historyOf('invitations', 'invitation', 'invitations_changes'),
  historyOf('messages', 'message', 'messages_changes'),
  historyOf('organizations', 'organization', 'organizations_changes'),
  historyOf('relations', 'relation', 'relations_changes'),
  historyOf('resources', 'resource', 'resources_changes'),
  historyOf('ritual-runs', 'ritual_run', 'ritual_runs_changes'),
  historyOf('rituals', 'ritual', 'rituals_changes'),
  historyOf('tasks', 'task', 'tasks_changes'),
  historyOf('templates', 'template', 'templates_changes'),
  historyOf('users', 'user', 'users_changes'),
];
