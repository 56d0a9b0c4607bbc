import { Injectable } from '@nestjs/common';
import type { ListDefinition } from './definition.js';

/** What a feature declares so that the search across everything finds its entities. */
export interface Searchable {
  /** Which rows the caller may see; its table keeps the words of name and text in `words`. */
  list: ListDefinition;
  /** SQL over the alias of the list's view: what names the row, and the text that it has; either may be null. */
  name: string;
  text: string;
  /** Few rows that are the caller's own; administrators see no others. */
  isOwn?: true;
}

/** Keeps what can be searched; features register it, so that the search knows none of them. */
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
