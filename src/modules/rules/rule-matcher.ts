import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { kindOf } from '../../common/ids.js';
import type { SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { Viewer } from '../../platform/listing/list-condition.js';
import type { ListDefinition, ListRequest } from '../../platform/listing/definition.js';
import { readSavedQuery } from '../../platform/listing/request.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import { MatchingThingsRepository } from './matching-things.repository.js';
import { THING_KINDS } from './rule.rules.js';

/** Applies the filters of rules, which are conditions of the lists of tasks and demands. */
@Injectable()
export class RuleMatcher {
  constructor(
    private readonly lists: SavedLists,
    private readonly repository: MatchingThingsRepository,
  ) {}

  /**
   * Returns those of the things that the viewer sees and that match the filter, with one statement for each kind. A list
   * that does not know a condition contains none of them.
   */
  async matching(me: Viewer, filter: SavedQuery, thingIds: readonly string[]): Promise<Set<string>> {
    const matching = new Set<string>();
    for (const kind of THING_KINDS) {
      const ids = thingIds.filter((id) => kindOf(id) === kind);
      const list = this.lists.of(kind);
      const request = ids.length === 0 ? undefined : requestFor(list, filter);
      if (request === undefined) continue;
      for (const id of await this.repository.find(me, list, request, ids)) matching.add(id);
    }
    return matching;
  }
}

/** Undefined if the list does not accept the filter. */
function requestFor(list: ListDefinition, filter: SavedQuery): ListRequest | undefined {
  try {
    return readSavedQuery(list, filter);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
