import { Injectable } from '@nestjs/common';
import type { ListDefinition } from './definition.js';

/** Registry of the lists whose queries can be saved, so that the feature that saves them does not depend on theirs. */
@Injectable()
export class SavedLists {
  private readonly byKind = new Map<string, ListDefinition>();

  register(list: ListDefinition): void {
    this.byKind.set(list.view.kind, list);
  }

  of(kind: string): ListDefinition {
    const list = this.byKind.get(kind);
    if (list === undefined) throw new Error(`no list of ${kind}s takes saved queries`);
    return list;
  }
}
