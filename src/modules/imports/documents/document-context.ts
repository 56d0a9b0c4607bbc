import type { Caller } from '../../../access/authentication/caller.js';
import { newId } from '../../../common/ids.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { Kind } from '../../../common/kinds.js';
import { textOf } from '../formats/values.js';
import { RefusedLine, type ImportedPerson } from '../reading/import-format.js';
import type { ImportState } from '../imports.repository.js';
import { nameOf, type ImportPeople } from '../reading/people.js';
import type { ExistingEntity } from './document-links.repository.js';

const MAX_APPROVALS = 20;

/** Resolves references of the records of a batch to entities and people. */
export class DocumentContext {
  private readonly taken = new Set<string>();

  constructor(
    readonly me: Caller,
    readonly state: ImportState,
    private readonly existing: Map<string, ExistingEntity>,
    private readonly people: ReadonlyMap<string, ImportPeople>,
    private readonly names: ReadonlyMap<string, ImportedPerson>,
    private readonly approvals: ReadonlyMap<string, readonly JsonRecord[]>,
    /** The referenced records that a dry run would create. */
    private readonly expected: Set<string>,
    /** The goals of endeavours here that goals in the file are, by their ids there. */
    private readonly goals: ReadonlyMap<string, string>,
  ) {}

  /** Notes that the external reference of the record belongs to an existing entity. */
  keepReference(record: string): void {
    this.taken.add(record);
  }

  /** Whether a copy of the record cannot have its external reference, because the original has it. */
  isReferenceTaken(record: string): boolean {
    return this.taken.has(record) && this.find(record) === undefined;
  }

  find(record: string): ExistingEntity | undefined {
    return this.existing.get(record);
  }

  /** Assigns a new id to a record, to which later references in the batch resolve. */
  assignId(record: string, kind: Kind, endeavourId: string | null): string {
    const id = newId(kind);
    this.existing.set(record, { id, endeavourId, isGone: false });
    return id;
  }

  forget(record: string): void {
    this.existing.delete(record);
    this.expected.delete(record);
  }

  set(record: string, entity: ExistingEntity): void {
    this.existing.set(record, entity);
  }

  /**
   * Returns the id of the referenced entity; null without a reference. A dry run creates no entities, so it returns the id
   * in the file of those that it would create.
   */
  referenceOf(data: JsonRecord, property: string): string | null {
    const record = textOf(data[property]);
    if (record === undefined) return null;
    const entity = this.existing.get(record);
    if (entity !== undefined && !entity.isGone) return entity.id;
    if (this.expected.has(record)) return record;
    throw new RefusedLine(
      `${property} does not refer to an imported record or an existing entity.`,
      'invalid_input',
      'reference_not_found',
    );
  }

  /** Returns the id of the referenced entity; null if it was not imported. */
  optionalReferenceOf(data: JsonRecord, property: string): string | null {
    const entity = this.existing.get(textOf(data[property]) ?? '');
    return entity === undefined || entity.isGone ? null : entity.id;
  }

  /** Returns the goal of a record, which is left as it is if the endeavour does not have it, or the file does not tell. */
  goalOf(data: JsonRecord): { goal_id?: string | null } {
    if (data.goal_id === null) return { goal_id: null };
    const goal = this.goals.get(textOf(data.goal_id) ?? '');
    return goal === undefined ? {} : { goal_id: goal };
  }

  /** Returns the goal of a record that the endeavour does not have, for `metadata.imported`. */
  lostGoalOf(data: JsonRecord): JsonRecord {
    const goal = textOf(data.goal_id);
    return goal === undefined || this.goals.has(goal) ? {} : { goal_id: goal };
  }

  /** Returns the id of the endeavour of a record. */
  endeavourOf(data: JsonRecord): string {
    const id = this.referenceOf(data, 'endeavour_id');
    if (id !== null) return id;
    throw new RefusedLine('endeavour_id is required.', 'invalid_input', 'required');
  }

  /** Returns the resource of the referenced person if the person is a member of the endeavour. */
  memberOf(data: JsonRecord, property: string, endeavourId: string | null): string | undefined {
    const record = textOf(data[property]);
    if (record === undefined || endeavourId === null) return undefined;
    return this.people.get(endeavourId)?.resourceOf({ login: record, ...this.names.get(record) });
  }

  /**
   * Returns the author of a record: the caller, or the original author if an administrator imports and the author is a
   * member. Other importers could attribute false texts to members.
   */
  authorOf(data: JsonRecord, property: string, endeavourId: string | null): string {
    return (this.me.isAdmin ? this.memberOf(data, property, endeavourId) : undefined) ?? this.me.resourceId;
  }

  /** Returns the latest approvals of a record for `metadata.imported`, where they have no effect. */
  approvalsOf({ id }: JsonRecord): JsonRecord {
    const latest = this.approvals.get(textOf(id) ?? '')?.slice(-MAX_APPROVALS) ?? [];
    const approvals = latest.map(({ verdict, role, approver_name: by, created_at: at }) => ({ verdict, role, by, at }));
    return approvals.length === 0 ? {} : { approvals };
  }

  /** Returns the names of referenced people who are not members, by their keys in `metadata.imported`. */
  namesOf(
    data: JsonRecord,
    endeavourId: string | null,
    properties: Readonly<Record<string, { property: string; isAuthor?: boolean }>>,
  ): JsonRecord {
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, { property, isAuthor = false }]) => {
        const record = textOf(data[property]);
        if (record === undefined) return [];
        const member = this.memberOf(data, property, endeavourId);
        const isKept = member !== undefined && (!isAuthor || this.me.isAdmin || member === this.me.resourceId);
        return isKept ? [] : [[name, nameOf({ login: record, ...this.names.get(record) })]];
      }),
    );
  }
}
