import type { TextTrait, View, ViewField } from './view.js';

/** A property that people write, with all that other features do with it. */
export const written = <T>(field: ViewField<T>, ...traits: readonly TextTrait[]): ViewField<T> => ({
  ...field,
  traits,
});

/** SQL for the searched properties: the name, then the text, as far as the view has them. */
export const searchedIn = (view: View): string[] => [
  ...sqlWith('searchedName', view),
  ...sqlWith('searchedText', view),
];

/** SQL for several texts as one; undefined if there is none. */
export const joinedTexts = (texts: readonly string[]): string | undefined =>
  texts.length > 1 ? `concat_ws(' ', ${texts.join(', ')})` : texts[0];

/** SQL for the properties with the trait. */
export const sqlWith = (trait: TextTrait, view: View): string[] =>
  namesWith(trait, view).map((name) => view.fields[name].sql);

/** The names of the properties with the trait, in the order of the view. */
export const namesWith = (trait: TextTrait, { fields }: View): string[] =>
  Object.keys(fields).filter((name) => fields[name].traits?.includes(trait) === true);
