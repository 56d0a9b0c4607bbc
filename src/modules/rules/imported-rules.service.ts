import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { mergedQuery } from '../views/list-query.field.js';
import { CreateRuleDto, UpdateRuleDto } from './rule.dto.js';
import { Rule } from './rule.entity.js';
import { assertRoomForRules, type RuleAction } from './rule.rules.js';
import { ruleView } from './rule.view.js';
import { RulesRepository } from './rules.repository.js';
import { RulesService } from './rules.service.js';

/** A rule that comes from another system: the body that POST accepts. */
export interface ImportedRule {
  id: string;
  dto: CreateRuleDto;
  createdAt: Date;
}

/** Creates rules of endeavours from an import. */
@Injectable()
export class ImportedRules {
  /** Validates the body as POST does, without what depends on lists and operations. */
  readonly read = bodyReaderFor(CreateRuleDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateRuleDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly repository: RulesRepository,
    private readonly rules: RulesService,
  ) {}

  /** Rejects what POST rejects because of the lists and operations. */
  assertFits({ on, filter = {}, actions }: CreateRuleDto): void {
    this.rules.assertFits({ on, filter: mergedQuery({}, filter), actions });
  }

  /** Creates valid rules, disabled and in the name of the importer (spec 14). */
  async createAll(me: Caller, endeavourId: string, rules: readonly ImportedRule[]): Promise<void> {
    assertRoomForRules(rules.length, await this.repository.countIn(endeavourId));
    const rows = rules.map(({ id, dto, createdAt }) => ({
      id,
      name: dto.name,
      endeavourId,
      on: dto.on,
      filter: mergedQuery({}, dto.filter ?? {}),
      actions: JSON.parse(JSON.stringify(dto.actions)) as RuleAction[],
      isEnabled: false,
      disabledReason: 'imported' as const,
      ownerId: me.resourceId,
      createdBy: me.resourceId,
      createdAt,
      updatedAt: new Date(),
      revision: 1,
    }));
    await this.bulkCreator.createAll(
      me,
      ruleView,
      Rule,
      rows.map((row) => ({ row, place: { endeavourId }, title: row.name })),
    );
    for (const { id } of rows) await this.repository.begin(id, me);
  }
}
