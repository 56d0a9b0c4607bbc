import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { OperationRegistry } from '../../access/operations/operation-registry.js';
import { invalidInput } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { changedValues } from '../../platform/database/columns/columns.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery, SavedQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import { MessagesService } from '../messages/messages.service.js';
import { mergedQuery } from '../views/list-query.field.js';
import type { CreateRuleDto, UpdateRuleDto } from './rule.dto.js';
import { Rule } from './rule.entity.js';
import { ruleList } from './rule.list.js';
import {
  actionErrors,
  assertRoomForRules,
  filterErrors,
  thingKindsOf,
  triggerErrors,
  type PatchReader,
  type RuleAction,
  type ThingKind,
} from './rule.rules.js';
import { ruleView } from './rule.view.js';
import { ruleRunList } from './rule-run.list.js';
import { RuleRunsRepository } from './rule-runs.repository.js';
import { RulesRepository } from './rules.repository.js';

/** The rules of endeavours. */
@Injectable()
export class RulesService {
  constructor(
    private readonly access: Access,
    private readonly eventEraser: EventEraser,
    private readonly listing: Listing,
    private readonly lists: SavedLists,
    private readonly messages: MessagesService,
    private readonly operations: OperationRegistry,
    private readonly repository: RulesRepository,
    private readonly runs: RuleRunsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, ruleList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, ruleView, id, { fields });
  }

  /** Lists what the rule did; for admins, because refusals tell what its owner may not do. */
  async listRuns(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(ruleRunList, query);
    await this.access.authorizeWithoutLock(me, 'rules_runs_list', id);
    const ofRule = ({ bind }: { bind: (value: unknown) => string }) =>
      `rn.rule_id = ${bind(id)} AND rn.status <> 'new'`;
    return this.listing.pageOf(me, { ...ruleRunList, baseCondition: ofRule }, request);
  }

  async create(me: Caller, dto: CreateRuleDto): Promise<Representation> {
    const { endeavour_id: endeavourId, on, actions, is_enabled: isEnabled = true } = dto;
    const filter = mergedQuery({}, dto.filter ?? {});
    this.assertFits({ on, filter, actions });
    const endeavour = await this.access.lockReference(me, 'rules_create', 'endeavour_id', endeavourId, {
      kind: 'endeavour',
      exclusive: true,
    });
    await this.assertRecipients(me, actions);
    this.access.assertWritable(endeavour);
    assertRoomForRules(1, await this.repository.countIn(endeavourId));
    const id = newId('rule');
    const people = { ownerId: me.resourceId, createdBy: me.resourceId };
    return this.writer.create(me, ruleView, Rule, {
      row: { id, name: dto.name, endeavourId, on, filter, actions: plain(actions), isEnabled, ...people },
      place: endeavour.place,
      title: dto.name,
      childRows: () => this.repository.begin(id, me),
    });
  }

  /** Updates the rule. The caller becomes its owner, as whom it runs from then on. */
  async update(me: Caller, id: string, dto: UpdateRuleDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'rules_update', Rule, id);
    const { row: current, place } = opened;
    const { name, on, filter: sent, actions, is_enabled: isEnabled } = dto;
    const filter = sent && mergedQuery(current.filter, sent);
    if (on ?? filter ?? actions) {
      this.assertFits({
        on: on ?? current.on,
        filter: filter ?? current.filter,
        actions: actions ?? current.actions,
      });
    }
    await this.assertRecipients(me, actions ?? []);
    this.access.assertWritable(opened);
    const disabledReason = isEnabled === undefined ? undefined : null;
    const changes = changedValues<Rule>(current, {
      name,
      on,
      filter,
      actions: actions && plain(actions),
      isEnabled,
      disabledReason,
    });
    if (Object.keys(changes).length > 0) {
      changes.ownerId = me.resourceId;
      await this.apply(me, id, changes);
    }
    return this.writer.patch(me, ruleView, Rule, { current, changes, place, entityChanges: { title: name } });
  }

  async remove(me: Caller, id: string): Promise<void> {
    const opened = await this.access.lockForUpdate(me, 'rules_delete', Rule, id);
    this.access.assertWritable(opened);
    await this.runs.cancel(id, 'The rule was deleted.');
    const name = 'Deleted rule';
    const changes = { name, filter: {}, actions: [{ comment: { content: name } }], isEnabled: false };
    const removed = { ...changes, deletedAt: new Date() };
    await this.writer.remove(me, ruleView, Rule, opened.row, opened.place, removed, name);
    await this.eventEraser.blankTexts(ruleView, id);
  }

  /** Rejects patterns, conditions and actions that can never be carried out, with every fault. */
  assertFits({
    on,
    filter,
    actions,
  }: {
    on: readonly string[];
    filter: SavedQuery;
    actions: readonly RuleAction[];
  }): void {
    const errors = triggerErrors(on);
    if (on.length === 0) errors.push({ field: 'on', code: 'too_short', message: 'on must have at least 1 items.' });
    const kinds = thingKindsOf(on);
    errors.push(
      ...filterErrors(
        kinds.map((kind) => this.lists.of(kind)),
        filter,
      ),
      ...actionErrors(
        actions,
        kinds.map((kind) => this.patchReaderOf(kind)),
      ),
    );
    if (errors.length > 0) throw invalidInput(errors);
  }

  private async assertRecipients(me: Caller, actions: readonly RuleAction[]): Promise<void> {
    for (const [index, { message }] of actions.entries()) {
      await this.messages.assertRecipients(me, message?.recipient_ids ?? [], `actions.${index}.message.recipient_ids`);
    }
  }

  private patchReaderOf(kind: ThingKind): PatchReader {
    const body = this.operations.find(`${kind}s_update`)?.declaration.body;
    if (body === undefined) throw new Error(`${kind}s cannot be patched`);
    const read = bodyReaderFor(body, 'patch');
    return (patch: JsonRecord) => read(patch).fieldErrors;
  }

  private async apply(me: Caller, id: string, { isEnabled }: Partial<Rule>): Promise<void> {
    if (isEnabled === true) return this.repository.begin(id, me);
    if (isEnabled === false) await this.runs.cancel(id, 'The rule was disabled.');
    await this.repository.handOver(id, me);
  }
}

/** The actions as plain objects, without the classes of bodies. */
const plain = (actions: readonly RuleAction[]): RuleAction[] => JSON.parse(JSON.stringify(actions)) as RuleAction[];
