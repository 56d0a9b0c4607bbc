import type { Caller } from '../../../access/caller.js';
import { newId } from '../../../common/ids.js';
import type { JsonRecord } from '../../../common/json.js';
import type { Kind } from '../../../common/kinds.js';
import { textOf } from '../formats/values.js';
import { RefusedLine, type ImportedPerson } from '../import-format.js';
import type { ImportState } from '../imports.repository.js';
import { nameOf, type ImportPeople } from '../people.js';
import type { PresentEntity } from './document-links.repository.js';

const MOST_APPROVALS = 20;

/** Resolves the references of a batch to entities and people. */
export class DocumentContext {
  constructor(
    readonly me: Caller,
    readonly state: ImportState,
    private readonly present: Map<string, PresentEntity>,
    private readonly people: ReadonlyMap<string, ImportPeople>,
    private readonly names: ReadonlyMap<string, ImportedPerson>,
    private readonly approvals: ReadonlyMap<string, readonly JsonRecord[]>,
  ) {}

  find(record: string): PresentEntity | undefined {
    return this.present.get(record);
  }

  /** A new id for the record; later references in the batch resolve to it. */
  allot(record: string, kind: Kind, endeavourId: string | null): string {
    const id = newId(kind);
    this.present.set(record, { id, endeavourId, isGone: false });
    return id;
  }

  forget(record: string): void {
    this.present.delete(record);
  }

  set(record: string, entity: PresentEntity): void {
    this.present.set(record, entity);
  }

  /** The id of the referenced entity; null without a reference. A dry run creates nothing and keeps the id of the file. */
  referenceOf(data: JsonRecord, property: string): string | null {
    const record = textOf(data[property]);
    if (record === undefined) return null;
    const found = this.present.get(record);
    if (found !== undefined && !found.isGone) return found.id;
    if (this.state.isDryRun) return record;
    throw new RefusedLine(
      `${property} does not refer to an imported record or an existing entity.`,
      'invalid_input',
      'reference_not_found',
    );
  }

  /** The id of the referenced entity, or null if it was not imported. */
  optionalReferenceOf(data: JsonRecord, property: string): string | null {
    const found = this.present.get(textOf(data[property]) ?? '');
    return found === undefined || found.isGone ? null : found.id;
  }

  /** The endeavour that the record is in. */
  endeavourOf(data: JsonRecord): string {
    const id = this.referenceOf(data, 'endeavour_id');
    if (id !== null) return id;
    throw new RefusedLine('endeavour_id is required.', 'invalid_input', 'required');
  }

  /** The resource id of the referenced person if they are a member of the endeavour. */
  memberOf(data: JsonRecord, property: string, endeavourId: string | null): string | undefined {
    const record = textOf(data[property]);
    if (record === undefined || endeavourId === null) return undefined;
    return this.people.get(endeavourId)?.resourceOf({ login: record, ...this.names.get(record) });
  }

  /** Only an administrator may keep the authors: other importers could attribute false texts to them. */
  authorOf(data: JsonRecord, property: string, endeavourId: string | null): string {
    return (this.me.isAdmin ? this.memberOf(data, property, endeavourId) : undefined) ?? this.me.resourceId;
  }

  /** The latest approvals of the record, for `metadata.imported`; they have no effect here. */
  approvalsOf({ id }: JsonRecord): JsonRecord {
    const said = this.approvals.get(textOf(id) ?? '')?.slice(-MOST_APPROVALS) ?? [];
    const approvals = said.map(({ verdict, role, approver_name: by, created_at: at }) => ({ verdict, role, by, at }));
    return approvals.length === 0 ? {} : { approvals };
  }

  /** The names of referenced people who are not members, by their keys in `metadata.imported`. */
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
