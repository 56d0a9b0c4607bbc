/** A second implementation of homes, roles and visibility as in spec 02, without any code of the service. */

export const ROLES = ['guest', 'member', 'admin', 'owner'] as const;
export const IN_ENDEAVOURS = ['viewer', 'member', 'admin', 'owner'] as const;
/** 1 (guest, viewer) to 4 (owner); 0 without a role. */
export type Rank = 0 | 1 | 2 | 3 | 4;

export interface Organization {
  id: string;
  isArchived: boolean;
  members: Map<string, Rank>;
}

export interface Endeavour {
  id: string;
  home: string | null;
  shares: Set<string>;
  isPrivate: boolean;
  /** Archived alone, or with its home, which then also unarchives it. */
  archived: 'no' | 'alone' | 'with home';
  direct: Map<string, Rank>;
  /** People who removed themselves. */
  departed: Set<string>;
  /** A transfer that waits for a second owner; it ends with every change of the home. */
  requested?: { by: string; to: string };
}

export interface Resource {
  id: string;
  home: string | null;
  shares: Set<string>;
  creator: string;
}

/** How much of a resource a person sees: 0 nothing, 1 four fields, 2 all but metadata and capacity, 3 all. */
export type Visibility = 0 | 1 | 2 | 3;

export class Model {
  readonly organizations = new Map<string, Organization>();
  readonly endeavours = new Map<string, Endeavour>();
  readonly resources = new Map<string, Resource>();

  constructor(readonly people: readonly string[]) {}

  rankIn(organization: string, who: string): Rank {
    return this.organizations.get(organization)?.members.get(who) ?? 0;
  }

  /** The highest of the direct role and the roles through organizations. */
  role({ home, shares, isPrivate, direct }: Endeavour, who: string): Rank {
    const atHome = home === null ? 0 : this.rankIn(home, who);
    const fromHome = isPrivate && atHome < 3 ? 0 : atHome;
    const shared = isPrivate ? 0 : Math.max(0, ...[...shares].map((share) => Math.min(2, this.rankIn(share, who))));
    return Math.max(direct.get(who) ?? 0, fromHome, shared) as Rank;
  }

  sees(who: string, whom: string): boolean {
    if (who === whom) return true;
    const organizations = [...this.organizations.values()];
    if (organizations.some(({ members }) => members.has(who) && members.has(whom))) return true;
    return [...this.endeavours.values()].some((one) => this.role(one, who) > 0 && this.role(one, whom) > 0);
  }

  visibilityOf({ home, shares, creator }: Resource, who: string): Visibility {
    const atHome = home === null ? 0 : this.rankIn(home, who);
    if ((home === null && creator === who) || atHome >= 2) return 3;
    const shared = Math.max(0, ...[...shares].map((share) => this.rankIn(share, who)));
    if (shared >= 2) return 2;
    return atHome > 0 || shared > 0 ? 1 : 0;
  }

  manages({ home, creator }: Resource, who: string): boolean {
    return home === null ? creator === who : this.rankIn(home, who) >= 3;
  }

  isHomeArchived({ home }: Pick<Resource, 'home'>): boolean {
    return home !== null && this.organizations.get(home)?.isArchived === true;
  }

  /** Whether another owner of the home, who is an admin of the target, has requested this transfer. */
  isRequestedByOther({ home, requested }: Endeavour, to: string, who: string): boolean {
    if (home === null || requested?.to !== to || requested.by === who) return false;
    return this.rankIn(home, requested.by) === 4 && this.rankIn(to, requested.by) >= 3;
  }

  /** Whether the home has other owners, of whom none owns the target. */
  needsSecondOwner({ home }: Endeavour, to: string, who: string): boolean {
    if (home === null || home === to) return false;
    const others = this.people.filter((one) => one !== who && this.rankIn(home, one) === 4);
    return others.length > 0 && others.every((one) => this.rankIn(to, one) < 4);
  }

  /** Whether the endeavour has a direct owner other than that person. */
  hasOwner({ direct }: Endeavour, beside?: string): boolean {
    return [...direct].some(([who, rank]) => rank === 4 && who !== beside);
  }

  /** Whether `who` administers an organization in which `whom` has a higher role than guest. */
  administersMember(who: string, whom: string): boolean {
    return [...this.organizations.values()].some(
      ({ members }) => (members.get(who) ?? 0) >= 3 && (members.get(whom) ?? 0) >= 2,
    );
  }

  /** Ends a membership of an organization, with the roles and shares in it that end with the membership. */
  removeMember(organization: string, who: string, kept: { endeavours: boolean; links: boolean }): void {
    this.organizations.get(organization)?.members.delete(who);
    const isLed = (share: string): boolean => this.rankIn(share, who) >= 3;
    for (const endeavour of this.endeavours.values()) {
      if (endeavour.home !== organization) continue;
      const rank = endeavour.direct.get(who);
      if (rank !== undefined && kept.endeavours) endeavour.direct.set(who, Math.min(2, rank) as Rank);
      else endeavour.direct.delete(who);
      if (!kept.links) for (const share of endeavour.shares) if (isLed(share)) endeavour.shares.delete(share);
    }
    for (const resource of this.resources.values()) {
      if (resource.home !== organization || kept.links) continue;
      for (const share of resource.shares) if (isLed(share)) resource.shares.delete(share);
    }
  }

  /** The roles of a person, as `GET /auth/whoami` returns them. */
  rolesOf(who: string): { organizations: Record<string, string>; endeavours: Record<string, string> } {
    const organizations: Record<string, string> = {};
    for (const { id, members } of this.organizations.values()) {
      const rank = members.get(who) ?? 0;
      if (rank > 0) organizations[id] = ROLES[rank - 1];
    }
    const endeavours: Record<string, string> = {};
    for (const endeavour of this.endeavours.values()) {
      const rank = this.role(endeavour, who);
      if (rank > 0) endeavours[endeavour.id] = IN_ENDEAVOURS[rank - 1];
    }
    return { organizations, endeavours };
  }

  /** Containers that no person can manage; there must be none. */
  unmanagedContainers(): string[] {
    const unowned = [...this.organizations.values()].filter(({ members }) => ![...members.values()].includes(4));
    const unmanaged = [...this.endeavours.values()].filter((one) =>
      this.people.every((who) => this.role(one, who) < 4),
    );
    return [...unowned, ...unmanaged].map(({ id }) => id);
  }
}
