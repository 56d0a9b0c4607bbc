import { Controller, Get, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { OperationId } from '../../../access/permissions/permissions.js';
import type { Kind } from '../../../common/kinds.js';
import { withArticle } from '../../../common/texts/text.js';
import { PathId } from '../../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
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
  historyOf('approvals', 'approval', 'approvals_changes_list'),
  historyOf('artifacts', 'artifact', 'artifacts_changes_list'),
  historyOf('comments', 'comment', 'comments_changes_list'),
  historyOf('demands', 'demand', 'demands_changes_list'),
  historyOf('dod-checks', 'dod_check', 'dod_checks_changes_list'),
  historyOf('dod-endorsements', 'dod_endorsement', 'dod_endorsements_changes_list'),
  historyOf('dod-policies', 'dod_policy', 'dod_policies_changes_list'),
  historyOf('dod-results', 'dod_result', 'dod_results_changes_list'),
  historyOf('endeavours', 'endeavour', 'endeavours_changes_list'),
  historyOf('invitations', 'invitation', 'invitations_changes_list'),
  historyOf('messages', 'message', 'messages_changes_list'),
  historyOf('organizations', 'organization', 'organizations_changes_list'),
  historyOf('relations', 'relation', 'relations_changes_list'),
  historyOf('resources', 'resource', 'resources_changes_list'),
  historyOf('ritual-runs', 'ritual_run', 'ritual_runs_changes_list'),
  historyOf('rituals', 'ritual', 'rituals_changes_list'),
  historyOf('tasks', 'task', 'tasks_changes_list'),
  historyOf('templates', 'template', 'templates_changes_list'),
  historyOf('time-entries', 'time_entry', 'time_entries_changes_list'),
  historyOf('users', 'user', 'users_changes_list'),
  historyOf('views', 'view', 'views_changes_list'),
];
