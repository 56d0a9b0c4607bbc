import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ImportedRules } from './imported-rules.service.js';
import { MatchingThingsRepository } from './matching-things.repository.js';
import { ruleContainment } from './rule.containment.js';
import { RuleDisabling } from './rule-disabling.js';
import { RuleMatcher } from './rule-matcher.js';
import { RuleOwners } from './rule-owners.js';
import { RuleRequests } from './rule-requests.js';
import { RuleRunner } from './rule-runner.js';
import { RuleRunsRepository } from './rule-runs.repository.js';
import { RuleWorker } from './rule-worker.js';
import { RulesController } from './rules.controller.js';
import { RulesRepository } from './rules.repository.js';
import { RulesService } from './rules.service.js';

/** Does something with tasks and demands when an event happens to them. */
@Module({
  imports: [MessagesModule],
  controllers: [RulesController],
  providers: [
    ImportedRules,
    MatchingThingsRepository,
    RuleDisabling,
    RuleMatcher,
    RuleOwners,
    RuleRequests,
    RuleRunner,
    RuleRunsRepository,
    RuleWorker,
    RulesRepository,
    RulesService,
  ],
  exports: [ImportedRules, RuleMatcher, RuleRequests, RuleRunsRepository, RuleWorker, RulesRepository, RulesService],
})
export class RulesModule {
  constructor(containedResources: ContainedResources) {
    containedResources.register(ruleContainment);
  }
}
