import { Injectable } from '@nestjs/common';
import { joinedTexts, sqlWith } from '../../database/views/text-traits.js';
import type { ListDefinition } from '../definition.js';

/** How a feature declares its entities for the global search. */
export interface SearchableList {
  /** The list that decides visibility; its table stores the words of name and text in `words`. */
  list: ListDefinition;
  /** SQL over the alias of the list's view for the text of a row, if that is not the searched text of the view. */
  text?: string;
  /** Whether an index finds names by any part of them, so that the whole text of a search is also searched for in names. */
  hasTitleIndex?: true;
  /** The list has only rows of the caller, and few of them; administrators see none of others. */
  isOwn?: true;
}

/** A searchable list with SQL for the name and the text of a row; either can be null. */
export interface Searchable extends SearchableList {
  name: string;
  text: string;
}

const NONE = 'NULL::text';

/** Registry of searchable entities, so that the search does not depend on features. */
@Injectable()
export class Searchables {
  private readonly registered: Searchable[] = [];

  register(searchable: SearchableList): void {
    const { view } = searchable.list;
    const name = joinedTexts(sqlWith('searchedName', view)) ?? NONE;
    const text = joinedTexts(sqlWith('searchedText', view)) ?? NONE;
    this.registered.push({ name, text, ...searchable });
  }

  get all(): readonly Searchable[] {
    return this.registered;
  }
}
