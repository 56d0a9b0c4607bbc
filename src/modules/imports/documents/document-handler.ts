import type { Caller } from '../../../access/authentication/caller.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { Kind } from '../../../common/kinds.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { ReadBody } from '../../../platform/http/bodies/fields/body-reader.js';
import { RefusedLine } from '../reading/import-format.js';
import { validBodyOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';

/** Imports the records of a section. */
export interface DocumentHandler {
  kind: Kind;
  /** The endeavour or organization into which the record is imported. */
  containerOf(data: JsonRecord, context: DocumentContext): string;
  /** Reads the record as a new entity with that id; rejects the same input as POST. */
  read(data: JsonRecord, context: DocumentContext, containerId: string, id: string): Promise<unknown>;
  /** Creates entities from several records in one container. */
  createAll(me: Caller, containerId: string, read: never[]): Promise<unknown>;
  /** The update of existing entities; without it, they are not changed. */
  update?: DocumentUpdate;
}

/** Updates an existing entity from a record. */
interface DocumentUpdate {
  get(me: Caller, id: string): Promise<Representation>;
  /** Reads the record as a merge patch; rejects the same input as PATCH. */
  read(data: JsonRecord, context: DocumentContext, containerId: string): object;
  patch(me: Caller, id: string, read: object): Promise<Representation>;
}

/** Creates an update that uses the PATCH of the feature. */
export function updateWithPatch<D extends object>(
  service: { get: DocumentUpdate['get']; update(me: Caller, id: string, dto: D): Promise<Representation> },
  { readChanges }: { readChanges: ReadBody<D> },
  changesOf: (data: JsonRecord, context: DocumentContext, containerId: string) => JsonRecord,
): DocumentUpdate {
  return {
    get: (me, id) => service.get(me, id),
    read: (data, context, containerId) => validBodyOf(readChanges(changesOf(data, context, containerId))),
    patch: (me, id, read) => service.update(me, id, read as D),
  };
}

/** The endeavour of the record. */
export const inEndeavour = (data: JsonRecord, context: DocumentContext): string => context.endeavourOf(data);

/** The organization into which the file is imported. */
export function inOrganization(_data: JsonRecord, { state }: DocumentContext): string {
  if (state.organizationId !== null) return state.organizationId;
  throw new RefusedLine('The record belongs to an organization; import the file into one.');
}

/** The endeavour of the record, or for one without an endeavour the organization. */
export const inEither = (data: JsonRecord, context: DocumentContext): string =>
  (data.endeavour_id === null ? inOrganization : inEndeavour)(data, context);
