import type { DeclaredField } from '../../../common/declared-field.js';
import { foldName } from '../../../common/texts/fold-name.js';

/** A heading of Jira for a custom field. */
const CUSTOM = /^custom field \((.+)\)$/i;

/** The declared field of tasks whose key or name a heading or property of a file has, in any spelling. */
export function fieldNamed(fields: readonly DeclaredField[], name: string): DeclaredField | undefined {
  const wanted = foldName(CUSTOM.exec(name.trim())?.[1] ?? name);
  const isCalled = (text: string): boolean => foldName(text) === wanted;
  return fields.find(({ key }) => isCalled(key)) ?? fields.find((field) => isCalled(field.name));
}
