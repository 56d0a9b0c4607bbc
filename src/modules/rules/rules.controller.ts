import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { CreateRuleDto, UpdateRuleDto } from './rule.dto.js';
import { ruleList } from './rule.list.js';
import { ruleView } from './rule.view.js';
import { ruleRunList } from './rule-run.list.js';
import { RulesService } from './rules.service.js';

const representation = Object.keys(ruleView.fields);
const Id = () => Param('id', bodies.PathId('rule'));

@ApiTags('Rules')
@Controller('rules')
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  @Get()
  @Operation('rules_list', {
    summary: 'List rules',
    description: 'Returns the rules of the endeavours that are visible to you.',
    list: ruleList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.rules.list(me, query);
  }

  @TransactionalPost()
  @Operation('rules_create', {
    summary: 'Create rule',
    description:
      'Does something with a task or demand of the endeavour when an event of one of the types in `on` happens to it and ' +
      '`filter` holds: up to five patches, comments and messages, all or none. It runs after the event, as you and with ' +
      'your rights at that moment; what it writes triggers no rule and is no evidence for the Definition of Done. An ' +
      'endeavour has at most 60 runs in a minute, and further ones wait; a rule with 1,000 waiting runs is disabled, and ' +
      'so is that of a former admin. An endeavour can have at most 100 rules (409 `too_many_rules`).',
    status: 201,
    body: CreateRuleDto,
    response: ruleView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateRuleDto, { representation })) dto: CreateRuleDto,
  ): Promise<Representation> {
    return this.rules.create(me, dto);
  }

  @Get(':id')
  @Operation('rules_get', { summary: 'Get rule', path: { id: 'rule' }, resource: ruleView })
  get(@CurrentCaller() me: Caller, @Id() id: string, @Fields(ruleView) fields?: FieldNames): Promise<Representation> {
    return this.rules.get(me, id, fields);
  }

  @Get(':id/runs')
  @Operation('rules_runs_list', {
    summary: 'List the runs of a rule',
    description: 'Returns what the rule did and why something was refused. Runs are kept for 30 days.',
    path: { id: 'rule' },
    list: ruleRunList,
  })
  listRuns(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.rules.listRuns(me, id, query);
  }

  @TransactionalPatch(':id')
  @Operation('rules_update', {
    summary: 'Update rule',
    description:
      'JSON merge patch, of `filter` too: conditions that you omit stay, and null removes one. You become its owner, as ' +
      'whom it runs from then on. Disabling it cancels its waiting runs.',
    path: { id: 'rule' },
    body: UpdateRuleDto,
    response: ruleView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateRuleDto, { representation })) dto: UpdateRuleDto,
  ): Promise<Representation> {
    return this.rules.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('rules_delete', {
    summary: 'Delete rule',
    description: 'Cancels its waiting runs.',
    path: { id: 'rule' },
    response: DELETED,
    refuses: ['archived', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.rules.remove(me, id);
    return { id, deleted: true };
  }
}
