/** The administrator of the service. */
export const ADMINISTRATOR = 'gus';

/** A user or agent, by a name that is unique in a sequence. */
export type Name = string;
export type Place = 'garden' | 'shed';

export interface Membership {
  /** 1 (viewer) to 4 (owner). */
  rank: number;
  stakeholderRoles: string[];
  /** The id of the policy version that the member has endorsed. */
  endorsed?: string;
}

interface Tenure {
  agent: Name;
  manager: Name;
  from: number;
  until: number;
}

const ROLES = ['viewer', 'member', 'admin', 'owner'];

/** The members of the two endeavours, and the managers of the agents over time. */
export class People {
  readonly members: Record<Place, Map<Name, Membership>> = { garden: new Map(), shed: new Map() };
  readonly suspended = new Set<Name>();
  private readonly tenures: Tenure[];

  constructor(managers: Record<Name, Name>) {
    this.tenures = Object.entries(managers).map(([agent, manager]) => {
      return { agent, manager, from: -Infinity, until: Infinity };
    });
  }

  isAgent(who: Name): boolean {
    return this.tenures.some(({ agent }) => agent === who);
  }

  /** The present manager of an agent, or the user itself: an agent and its manager count as one person. */
  personOf(who: Name): Name {
    return this.tenures.find(({ agent, until }) => agent === who && until === Infinity)?.manager ?? who;
  }

  handOver(agent: Name, manager: Name, at: number): void {
    for (const each of this.tenures) if (each.agent === agent && each.until === Infinity) each.until = at;
    this.tenures.push({ agent, manager, from: at, until: Infinity });
  }

  isOne(who: Name, other: Name): boolean {
    return this.personOf(who) === this.personOf(other);
  }

  /**
   * Whether what somebody did at that time stands in the way of a reviewer: as one person now, or as the manager that
   * the agent had at that time.
   */
  hasDone(who: Name, doer: Name, from: number, until = from): boolean {
    if (this.isOne(who, doer)) return true;
    return this.tenures.some(
      (each) => each.agent === doer && each.manager === this.personOf(who) && each.from <= until && each.until >= from,
    );
  }

  /** An agent has no more rights than its manager. */
  rankOf(who: Name, place: Place): number {
    return Math.min(...[who, this.personOf(who)].map((each) => this.members[place].get(each)?.rank ?? 0));
  }

  /** Whether a person is an active member; for an agent, its manager must be one, too. */
  isActiveMember(who: Name, place: Place): boolean {
    return this.rankOf(who, place) >= 2 && this.isActive(who);
  }

  isActive(who: Name): boolean {
    return ![who, this.personOf(who)].some((each) => this.suspended.has(each));
  }

  holds(who: Name, role: string, place: Place): boolean {
    return this.rolesOf(who, place).includes(role);
  }

  rolesOf(who: Name, place: Place): string[] {
    return [...ROLES.slice(0, this.rankOf(who, place)), ...(this.members[place].get(who)?.stakeholderRoles ?? [])];
  }
}
