import { Injectable } from '@nestjs/common';
import type { ListDefinition } from './definition.js';

/** How a feature declares its entities for the global search. */
export interface Searchable {
  /** The list that decides visibility; its table stores the words of name and text in `words`. */
  list: ListDefinition;
  /** SQL over the alias of the list's view: the name and the text of a row; either can be null. */
  name: string;
  text: string;
  /** Whether an index finds names by any part of them, so that the whole text of a search is also searched for in names. */
  hasTitleIndex?: true;
  /** The list has only rows of the caller, and few of them; administrators see none of others. */
  isOwn?: true;
}

/** Registry of searchable entities, so that the search does not depend on features. */
@Injectable()
export class Searchables {
  private readonly registered: Searchable[] = [];

  register(searchable: Searchable): void {
    this.registered.push(searchable);
  }

  get all(): readonly Searchable[] {
    return this.registered;
  }
}
