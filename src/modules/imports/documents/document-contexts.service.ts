import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { groupBy } from '../../../common/group-by.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { GoalMembership } from '../../endeavours/goals/goal-membership.service.js';
import { recordOf, recordsOf, textOf } from '../formats/values.js';
import type { ImportedPerson } from '../reading/import-format.js';
import { ImportsRepository, type ImportState, type StoredLine } from '../imports.repository.js';
import { ImportPeople } from '../reading/people.js';
import { DocumentContext } from './document-context.js';
import { DocumentLinksRepository, type ExistingEntity } from './document-links.repository.js';
import { idsInQuery } from './document-queries.js';
import { APPROVALS, DOCUMENT_SECTIONS, PEOPLE_SECTIONS } from './document.format.js';

/** The properties in which records refer to each other. */
const REFERENCES = ['id', 'endeavour_id', 'demand_id', 'task_id', 'entity_id', 'reply_to_id', 'predecessor_id'].concat([
  'iteration_id',
  'lineage_id',
  'source_entity_id',
  'target_entity_id',
]);
const PEOPLE = ['assignee_id', 'owner_id', 'creator_id', 'created_by', 'author_id', 'resource_id'];

/** Finds what records refer to: entities, people, approvals and goals. */
@Injectable()
export class DocumentContexts {
  constructor(
    private readonly goals: GoalMembership,
    private readonly imports: ImportsRepository,
    private readonly links: DocumentLinksRepository,
  ) {}

  /** Reads what the lines refer to. */
  async of(me: Caller, state: ImportState, lines: readonly StoredLine[]): Promise<DocumentContext> {
    // Rituals also refer to others in the task that they carry.
    const referring = lines.flatMap(({ data }) => [data, recordOf(data.task)]);
    const valuesOf = (properties: readonly string[]): string[] => [
      ...new Set(referring.flatMap((record) => properties.flatMap((name) => textOf(record[name]) ?? []))),
    ];
    // In an organization, an export always becomes a copy, also in the one that it is from.
    const isOwn = state.endeavourId !== null;
    const inQueries = lines.flatMap(({ data }) => idsInQuery(data));
    const existing = await this.links.find(state.containerId, [...valuesOf(REFERENCES), ...inQueries], { isOwn });
    if (state.isDryRun && state.endeavourId !== null) {
      // The endeavour of the export maps to the target; a dry run does not store this mapping.
      const target = { id: state.endeavourId, endeavourId: state.endeavourId, isGone: false };
      for (const record of valuesOf(['endeavour_id'])) existing.set(record, target);
    }
    const containers = lines.flatMap(({ data: { endeavour_id, entity_id } }) => [
      existing.get(textOf(endeavour_id) ?? '')?.id,
      existing.get(textOf(entity_id) ?? '')?.endeavourId,
    ]);
    const endeavours = new Set(containers.filter((id) => typeof id === 'string'));
    const people = new Map<string, ImportPeople>();
    for (const id of endeavours) {
      people.set(id, new ImportPeople(await this.imports.peopleOf(me.userId, me.isAdmin, id), state.options.people));
    }
    const personRecords = valuesOf(PEOPLE).flatMap((key) => PEOPLE_SECTIONS.map((section) => [section, key] as const));
    const byKey = groupBy(await this.imports.lookups(state.id, personRecords), ({ key }) => key ?? '');
    const names = new Map([...byKey].map(([key, records]) => [key, personOf(records.map(({ data }) => data))]));
    const approvalRecords = valuesOf(['id']).map((key) => [APPROVALS, key] as const);
    const byEntity = groupBy(await this.imports.lookups(state.id, approvalRecords), ({ key }) => key ?? '');
    const approvals = new Map([...byEntity].map(([key, records]) => [key, records.map(({ data }) => data)]));
    const expected = state.isDryRun
      ? await this.imports.keysOfFile(state.id, DOCUMENT_SECTIONS, valuesOf(REFERENCES))
      : new Set<string>();
    const goals = await this.goalsOf(state, lines, existing);
    return new DocumentContext(me, state, existing, people, names, approvals, expected, goals);
  }

  /** The goals that goals in the file are here, by their ids there: those with the same id or, of a copy, the same title. */
  private async goalsOf(
    state: ImportState,
    lines: readonly StoredLine[],
    existing: ReadonlyMap<string, ExistingEntity>,
  ): Promise<Map<string, string>> {
    const served = lines.filter(({ data }) => typeof data.goal_id === 'string');
    const records = [...new Set(served.flatMap(({ data }) => textOf(data.endeavour_id) ?? []))];
    const found = await this.imports.lookups(
      state.id,
      records.map((record) => ['endeavours', record] as const),
    );
    const goals = new Map<string, string>();
    for (const { key, data } of found) {
      const endeavour = existing.get(key ?? '');
      const here = endeavour === undefined ? [] : await this.goals.of(endeavour.id);
      for (const { id, title } of recordsOf(data.goals)) {
        const same = here.find((goal) => goal.id === id) ?? here.find((goal) => goal.title === title);
        if (same !== undefined && typeof id === 'string') goals.set(id, same.id);
      }
    }
    return goals;
  }
}

/** Merges the records of a person in the document, as a member and as a resource. */
function personOf(records: readonly JsonRecord[]): ImportedPerson {
  const merged: JsonRecord = Object.assign({}, ...records);
  return { name: textOf(merged.name), email: textOf(merged.email) };
}
