import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import type { JsonRecord } from '../../common/texts/json.js';
import type { View } from '../../platform/database/views/view.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Parsed } from '../../platform/http/requests/parsed.js';
import { FieldChanges, type FieldChange } from './field-changes.js';

/** A versioned kind: its representation, and the properties that are compared line by line. */
export interface Versioned {
  view: View;
}

interface Version {
  id: string;
  version: number;
}

/** The differences between two entities of one kind. */
export interface VersionDiff {
  from: Version;
  to: Version;
  changes: FieldChange[];
}

/** Compares two rituals, templates or DoD policies, usually two versions of the same one. */
@Injectable()
export class VersionDiffsService {
  constructor(
    private readonly access: Access,
    private readonly changes: FieldChanges,
  ) {}

  /** 404 if the entity in the path is not visible, 400 if the other one is not. */
  async read(me: Caller, { view }: Versioned, id: string, query: RawQuery): Promise<VersionDiff> {
    const otherId = this.otherIn(view, query);
    const from = await this.stateOf(me, view, id);
    if ((await this.access.find(me, otherId)) === undefined) throw invalidInput([referenceNotFound('to')]);
    const to = await this.stateOf(me, view, otherId);
    const changes = await this.changes.between(me.userId, view, [from, to]);
    return { from: versionOf(from), to: versionOf(to), changes };
  }

  private otherIn({ kind }: View, query: RawQuery): string {
    const to = (raw: string): Parsed =>
      isId(kind, raw) ? { value: raw } : { code: 'invalid_format', message: `to must be the id of another ${kind}.` };
    const sent = readQuery(query, { to }).get('to') as string | undefined;
    if (sent === undefined) throw invalidInput([{ field: 'to', code: 'required', message: 'to is required.' }]);
    return sent;
  }

  private async stateOf(me: Caller, view: View, id: string): Promise<JsonRecord> {
    return (await this.access.getOr404(me, view, id)).read(view);
  }
}

const versionOf = ({ id, version }: JsonRecord): Version => ({ id: String(id), version: Number(version) });
