import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { RulesModule } from '../rules/rules.module.js';
import { RuleDryRunsController } from './rule-dry-runs.controller.js';
import { RuleDryRuns } from './rule-dry-runs.service.js';
import { RuleFanOut } from './rule-fan-out.js';

/** Lets the events of the feed trigger rules. */
@Module({
  imports: [ActivityModule, RulesModule],
  controllers: [RuleDryRunsController],
  providers: [RuleDryRuns, RuleFanOut],
})
export class RuleEventsModule {}
