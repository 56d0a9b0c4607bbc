import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type Json } from '../../platform/database/views/view.js';
import { labelView } from './label.view.js';

/** Reads and writes the labels of endeavours. */
@Injectable()
export class LabelsRepository {
  constructor(private readonly database: Database) {}

  /** The names of the labels with these ids. */
  async namesOf(ids: readonly string[]): Promise<string[]> {
    const row = await this.database.one<{ names: string[] }>('SELECT label_names($1::text[]) AS names', [ids]);
    return row?.names ?? [];
  }

  /** The ids of the labels of an endeavour with these names, which are made if they do not exist. */
  async findOrMake(endeavourId: string, names: readonly string[]): Promise<string[]> {
    const row = await this.database.one<{ ids: string[] | null }>('SELECT labels_in($1, $2::text[]) AS ids', [
      endeavourId,
      names,
    ]);
    return row?.ids ?? [];
  }

  /** The ids of the same labels by the forms in which their names are compared. */
  async findOrMakeEach(endeavourId: string, names: readonly string[]): Promise<Map<string, string>> {
    const ids = await this.findOrMake(endeavourId, names);
    const rows = await this.database.query<{ id: string; folded: string }>(
      'SELECT l.id, l.folded FROM labels l WHERE l.id = ANY($1::text[])',
      [ids],
    );
    return new Map(rows.map(({ id, folded }) => [folded, id]));
  }

  /** The id of the label of the endeavour that has this name, in any spelling. */
  async idOf(endeavourId: string, name: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      'SELECT l.id FROM labels l WHERE l.endeavour_id = $1 AND l.folded = fold_name($2) AND l.merged_into IS NULL',
      [endeavourId, name],
    );
    return row?.id;
  }

  async nameOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ name: string }>('SELECT l.name FROM labels l WHERE l.id = $1', [id]);
    return row?.name;
  }

  /** Renames a label, or merges it into the one that has the name; returns the id of the label that remains. */
  async rename(id: string, name: string): Promise<string> {
    const row = await this.database.one<{ id: string }>('SELECT rename_label($1, $2) AS id', [id, name]);
    return row?.id ?? id;
  }

  async read(me: Caller, id: string): Promise<Representation> {
    const sql = oneAsJson(labelView, 'l.id = $2 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, id]));
  }

  /** Renews the search words of the next tasks and demands with renamed labels; returns whether there may be more. */
  async renewWords(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT renew_label_words($1) AS more', [limit]);
    return row?.more === true;
  }

  /** Converts the labels in metadata of the next imported tasks or demands; returns whether there may be more. */
  async convertMetadata(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT convert_metadata_labels($1) AS more', [limit]);
    return row?.more === true;
  }
}
