import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { PathId } from '../../platform/http/bodies/body.pipe.js';
import { OnlyReads, OwnTransactions } from '../../platform/http/server/route-metadata.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { RuleDryRuns, type DryRunOutcome } from './rule-dry-runs.service.js';

const outcome = exactly({
  event_id: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
  event_type: { type: 'string', example: 'task.status_changed' },
  entity_id: { type: 'string', description: 'The task or demand.' },
  outcome: {
    type: 'string',
    enum: ['no_match', 'would_succeed', 'would_be_refused', 'not_tried'],
    description: 'not_tried: the filter holds, but the actions of 20 others have been tried.',
  },
  error_code: { type: ['string', 'null'] },
  error: { type: ['string', 'null'] },
});
const schema = component(
  'RuleDryRun',
  exactly({ events: { type: 'array', items: component('RuleDryRunOutcome', outcome), description: 'Newest first.' } }),
);

@ApiTags('Rules')
@Controller('rules')
export class RuleDryRunsController {
  constructor(private readonly dryRuns: RuleDryRuns) {}

  @TransactionalPost(':id/dry-run')
  @OwnTransactions(true)
  @OnlyReads(true)
  @Operation('rules_dry_run', {
    summary: 'Try a rule',
    description:
      'Says what the rule would do about those of the last 100 events of the endeavour that match its patterns, also if it ' +
      'is disabled: the filter is applied to the present state of the task or demand, and the actions are tried as you ' +
      'and rolled back.',
    path: { id: 'rule' },
    response: schema,
  })
  run(@CurrentCaller() me: Caller, @Param('id', PathId('rule')) id: string): Promise<{ events: DryRunOutcome[] }> {
    return this.dryRuns.run(me, id);
  }
}
