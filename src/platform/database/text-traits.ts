import type { TextTrait, View, ViewField } from './view.js';

/** A property that people write, with all that other features do with it. */
export const written = <T>(field: ViewField<T>, ...traits: readonly TextTrait[]): ViewField<T> => ({
  ...field,
  traits,
});

/** The names of the properties with the trait, in the order of the view. */
export const namesWith = (trait: TextTrait, { fields }: View): string[] =>
  Object.keys(fields).filter((name) => fields[name].traits?.includes(trait) === true);
