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

/** What a piece of a document refers to: records that are here, and people. */
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

  /** A new id for the record, by which the rest of the piece refers to it. */
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

  /** What the property names, here; null where it names nothing. A dry run has made nothing that could be named. */
  referenceOf(data: JsonRecord, property: string): string | null {
    const record = textOf(data[property]);
    if (record === undefined) return null;
    const found = this.present.get(record);
    if (found !== undefined && !found.isGone) return found.id;
    if (this.state.isDryRun) return record;
    throw new RefusedLine(`${property} names nothing that is here.`, 'invalid_input', 'reference_not_found');
  }

  /** The same where the record can do without. */
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

  /** The member of the endeavour whom the property names, if it is one. */
  memberOf(data: JsonRecord, property: string, endeavourId: string | null): string | undefined {
    const record = textOf(data[property]);
    if (record === undefined || endeavourId === null) return undefined;
    return this.people.get(endeavourId)?.resourceOf({ login: record, ...this.names.get(record) });
  }

  /** Only an administrator may keep the authors: other importers could attribute false texts to them. */
  authorOf(data: JsonRecord, property: string, endeavourId: string | null): string {
    return (this.me.isAdmin ? this.memberOf(data, property, endeavourId) : undefined) ?? this.me.resourceId;
  }

  /** The latest that was said of the record there, for `metadata.imported`: it counts for nothing here. */
  approvalsOf({ id }: JsonRecord): JsonRecord {
    const said = this.approvals.get(textOf(id) ?? '')?.slice(-MOST_APPROVALS) ?? [];
    const approvals = said.map(({ verdict, role, approver_name: by, created_at: at }) => ({ verdict, role, by, at }));
    return approvals.length === 0 ? {} : { approvals };
  }

  /** The names of those who are not kept as what they are, under the names that `metadata.imported` has for them. */
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
