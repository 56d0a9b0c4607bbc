import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import type { SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { Caller } from '../authentication/caller.js';

/** Returns the parameters that are saved under the id, for a list of entities of that kind. */
export type FindSavedQuery = (me: Caller, id: string, kind: Kind) => Promise<SavedQuery>;

/** Where lists find saved queries. The feature that keeps them registers itself, because it comes after the listed ones. */
@Injectable()
export class SavedQueries {
  private finder?: FindSavedQuery;

  register(finder: FindSavedQuery): void {
    this.finder = finder;
  }

  find(me: Caller, id: string, kind: Kind): Promise<SavedQuery> {
    if (this.finder === undefined) throw new Error('no feature keeps saved queries');
    return this.finder(me, id, kind);
  }
}
