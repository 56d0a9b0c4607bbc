import type { ImportedPerson } from './import-format.js';
import type { Assignable } from './imports.repository.js';

/** Matches people in a file with members of the endeavour; others stay names. */
export class ImportPeople {
  private readonly byWord = new Map<string, Assignable | null>();
  private readonly byId = new Map<string, Assignable>();

  constructor(
    members: readonly Assignable[],
    private readonly named: Readonly<Record<string, string>> = {},
  ) {
    for (const member of members) {
      this.byId.set(member.userId, member).set(member.resourceId, member);
      this.note(member.name, member);
      if (member.email !== null) this.note(member.email, member);
    }
  }

  /** By the mapping of the request, else by an address or name that only one member has. */
  resourceOf({ login, name, email }: ImportedPerson): string | undefined {
    const words = [login, email, name].filter((word) => word !== undefined);
    for (const word of words) {
      if (Object.hasOwn(this.named, word)) return this.byId.get(this.named[word])?.resourceId;
    }
    const found = [email, name].map((word) => (word === undefined ? undefined : this.byWord.get(word.toLowerCase())));
    return found.find((member) => member !== undefined && member !== null)?.resourceId;
  }

  /** An ambiguous word matches no member. */
  private note(word: string, member: Assignable): void {
    const key = word.toLowerCase();
    this.byWord.set(key, this.byWord.has(key) && this.byWord.get(key) !== member ? null : member);
  }
}

/** The stored data of a person who is not a member. */
export const nameOf = ({ name, login, email }: ImportedPerson): string => name ?? login ?? email ?? '';
