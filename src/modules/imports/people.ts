import type { ImportedPerson } from './import-format.js';
import type { Assignable } from './imports.repository.js';

/** Matches people in a file with members of the endeavour. */
export class ImportPeople {
  private readonly byNameOrEmail = new Map<string, Assignable | null>();
  private readonly byId = new Map<string, Assignable>();

  constructor(
    members: readonly Assignable[],
    private readonly mapping: Readonly<Record<string, string>> = {},
  ) {
    for (const member of members) {
      this.byId.set(member.userId, member).set(member.resourceId, member);
      this.addKey(member.name, member);
      if (member.email !== null) this.addKey(member.email, member);
    }
  }

  /** Returns the resource by the mapping of the request or, without one, by an e-mail address or name of one member. */
  resourceOf({ login, name, email }: ImportedPerson): string | undefined {
    const words = [login, email, name].filter((word) => word !== undefined);
    for (const word of words) {
      if (Object.hasOwn(this.mapping, word)) return this.byId.get(this.mapping[word])?.resourceId;
    }
    const members = [email, name].map((word) =>
      word === undefined ? undefined : this.byNameOrEmail.get(word.toLowerCase()),
    );
    return members.find((member) => member !== undefined && member !== null)?.resourceId;
  }

  /** Adds a name or e-mail address; one of several members matches none of them. */
  private addKey(word: string, member: Assignable): void {
    const key = word.toLowerCase();
    const isAmbiguous = this.byNameOrEmail.has(key) && this.byNameOrEmail.get(key) !== member;
    this.byNameOrEmail.set(key, isAmbiguous ? null : member);
  }
}

/** Returns the text that is stored for a person who is not a member. */
export const nameOf = ({ name, login, email }: ImportedPerson): string => name ?? login ?? email ?? '';
