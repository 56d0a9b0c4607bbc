import { foldName } from '../../../common/texts/fold-name.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { ImportedPerson, ImportItem } from './import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { Assignable } from '../imports.repository.js';
import { ownOf } from '../formats/values.js';

/** Matches people in a file with members of the endeavour. */
export class ImportPeople {
  private readonly byNameOrEmail = new Map<string, Assignable | null>();
  private readonly byId = new Map<string, Assignable>();
  private readonly folded: ReadonlyMap<string, string>;
  /** The results by the words of a person: a file names few people many times. */
  private readonly known = new Map<string, string | undefined>();

  constructor(
    members: readonly Assignable[],
    private readonly mapping: Readonly<Record<string, string>> = {},
    private readonly notes?: ImportNotes,
  ) {
    for (const member of members) {
      this.byId.set(member.userId, member).set(member.resourceId, member);
      this.addKey(member.name, member);
      if (member.email !== null) this.addKey(member.email, member);
    }
    this.folded = new Map(Object.keys(mapping).map((name) => [foldName(name), name]));
  }

  /** Returns the resource by the mapping of the request or, without one, by an e-mail address or name of one member. */
  resourceOf(person: ImportedPerson): string | undefined {
    const words = `${person.login}\n${person.email}\n${person.name}`;
    if (!this.known.has(words)) this.known.set(words, this.find(person));
    return this.known.get(words);
  }

  private find({ login, name, email }: ImportedPerson): string | undefined {
    for (const word of [login, email, name]) {
      if (word === undefined) continue;
      const mapped = ownOf(this.mapping, word) === undefined ? this.folded.get(foldName(word)) : word;
      if (mapped === undefined) continue;
      this.notes?.use('people', mapped);
      const member = this.byId.get(this.mapping[mapped]);
      if (member === undefined) this.notes?.add('option', `people.${mapped}`, 'names nobody in the endeavour', null);
      return member?.resourceId;
    }
    const members = [email, name].map((word) =>
      word === undefined ? undefined : this.byNameOrEmail.get(foldName(word)),
    );
    return members.find((member) => member !== undefined && member !== null)?.resourceId;
  }

  /** Adds a name or e-mail address; one of several members matches none of them. */
  private addKey(word: string, member: Assignable): void {
    const key = foldName(word);
    const isAmbiguous = this.byNameOrEmail.has(key) && this.byNameOrEmail.get(key) !== member;
    this.byNameOrEmail.set(key, isAmbiguous ? null : member);
  }
}

/** Returns the text that is stored for a person who is not a member. */
export const nameOf = ({ name, login, email }: ImportedPerson): string => name ?? login ?? email ?? '';

/** Returns the first assignee who is a member. */
export const assigneeOf = ({ assignees = [] }: ImportItem, people: ImportPeople): string | undefined =>
  assignees.map((one) => people.resourceOf(one)).find((resource) => resource !== undefined);

/** Returns the names of people in the file, and its values that have no property here, for `metadata.imported`. */
export function importedNotes({ author, assignees = [], surplus }: ImportItem, people: ImportPeople): JsonRecord {
  const isUnknown = assignees.length > 0 && assignees.every((one) => people.resourceOf(one) === undefined);
  return {
    ...surplus,
    ...(author !== undefined && { author: nameOf(author) }),
    ...(isUnknown && { assignee: nameOf(assignees[0]) }),
    ...(assignees.length > 1 && { assignees: assignees.map(nameOf) }),
  };
}
