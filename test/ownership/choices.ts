import type { Random } from '../forging/random.js';
import * as acts from './acts.js';
import type { Act } from './acts.js';
import * as links from './links.js';
import type { Endeavour, Model, Organization, Rank, Resource } from './model.js';
import * as people from './people.js';

export const NAMES = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay'];

/** How many acts of a kind are generated to find one that succeeds. */
const TRIES = 15;
const MOST = { endeavours: 12, resources: 8 };

/** Chooses at random who does what, where and to whom. */
export class Choices {
  constructor(
    private readonly model: Model,
    private readonly actors: people.Ids,
    private readonly random: Random,
  ) {}

  /** An act of a kind that is chosen by weight; usually one that succeeds, if one is found. */
  randomAct(): Act | undefined {
    let left = this.random.next() * this.kinds.reduce((sum, [weight]) => sum + weight, 0);
    const kind = this.kinds.find(([weight]) => (left -= weight) < 0)?.[1] ?? this.kinds[0][1];
    const tries = this.random.chance(0.6) ? TRIES : 1;
    for (let nth = 1; ; nth += 1) {
      const act = kind();
      if (nth === tries || (act !== undefined && act.status < 300)) return act;
    }
  }

  private readonly kinds: [weight: number, () => Act | undefined][] = [
    [
      4,
      () =>
        this.creation((who, at) => acts.createEndeavour(this.model, who, at, this.random.chance(0.2)), 'endeavours'),
    ],
    [4, () => this.creation((who, at) => links.createResource(this.model, who, at), 'resources')],
    [6, () => this.inEndeavour((who, at) => this.added(people.addToEndeavour, who, at))],
    [4, () => this.inEndeavour((who, at) => this.added(people.changeRoleInEndeavour, who, at))],
    [
      4,
      () =>
        this.inEndeavour((who, at) =>
          people.removeFromEndeavour(this.model, this.actors, { who, at, whom: this.orMyself(who) }),
        ),
    ],
    [
      4,
      () =>
        this.inOrganization((who, at) =>
          people.addToOrganization(this.model, this.actors, {
            who,
            at,
            whom: this.name(),
            rank: this.rank(),
            isPatch: this.random.chance(0.5),
          }),
        ),
    ],
    [
      6,
      () =>
        this.inOrganization((who, at) =>
          people.removeFromOrganization(this.model, this.actors, {
            who,
            at,
            whom: this.orMyself(who),
            kept: this.kept(),
          }),
        ),
    ],
    [6, () => this.withEndeavour((who, at, one) => links.linkEndeavour(this.model, who, at, one))],
    [12, () => this.share()],
    [5, () => this.withEndeavour((who, at, one) => links.unlinkEndeavour(this.model, who, at, one))],
    [4, () => this.withEndeavour((who, at, one) => links.transferEndeavour(this.model, who, at, one))],
    [10, () => this.withResource((who, at, one) => links.addResource(this.model, who, at, one))],
    [4, () => this.withResource((who, at, one) => links.removeResource(this.model, who, at, one))],
    [3, () => this.withResource((who, at, one) => links.transferResource(this.model, who, at, one))],
    [3, () => this.inEndeavour((who, at) => acts.setPrivate(this.model, who, at, this.random.chance(0.25)))],
    [1, () => this.inEndeavour((who, at) => acts.archiveEndeavour(this.model, who, at))],
    [3, () => this.inEndeavour((who, at) => acts.unarchiveEndeavour(this.model, who, at))],
    [0.5, () => this.inOrganization((who, at) => acts.archiveOrganization(this.model, who, at))],
    [4, () => this.inOrganization((who, at) => acts.unarchiveOrganization(this.model, who, at))],
  ];

  private creation(
    make: (who: string, at: Organization | undefined) => Act,
    kind: 'endeavours' | 'resources',
  ): Act | undefined {
    if (this.model[kind].size >= MOST[kind]) return undefined;
    const at = this.random.chance(0.75) ? this.organization() : undefined;
    return make(at === undefined ? this.name() : this.actorIn(at), at);
  }

  private inOrganization(make: (who: string, at: Organization) => Act): Act {
    const at = this.organization();
    return make(this.actorIn(at), at);
  }

  private inEndeavour(make: (who: string, at: Endeavour) => Act): Act | undefined {
    const at = this.endeavour();
    return at && make(this.actorIn(at), at);
  }

  private withEndeavour(make: (who: string, at: Organization, one: Endeavour) => Act): Act | undefined {
    const [at, one] = [this.organization(), this.endeavour()];
    return one && make(this.either(this.actorIn(at), this.actorIn(one)), at, one);
  }

  private withResource(make: (who: string, at: Organization, one: Resource) => Act): Act | undefined {
    const [at, one] = [this.organization(), this.resource()];
    return one && make(this.actorIn(at), at, one);
  }

  /** By an owner of the home, with an organization that the endeavour is not linked to yet. */
  private share(): Act | undefined {
    const [at, one] = [this.organization(), this.endeavour()];
    if (one === undefined || one.home === null || one.home === at.id || one.shares.has(at.id)) return undefined;
    const owners = NAMES.filter((who) => this.model.rankIn(one.home ?? '', who) === 4);
    return links.linkEndeavour(this.model, this.random.pick(owners), at, one);
  }

  private added(make: typeof people.addToEndeavour, who: string, at: Endeavour): Act {
    return make(this.model, this.actors, { who, at, whom: this.name(), rank: this.rank() });
  }

  randomProbe(): Act | undefined {
    const thing = this.random.chance(0.5) ? this.endeavour() : this.resource();
    return thing === undefined ? undefined : acts.probe(this.model, this.name(), thing);
  }

  readonly name = (): string => this.random.pick(NAMES);
  private either = (one: string, other: string): string => (this.random.chance(0.5) ? one : other);
  private orMyself = (who: string): string => (this.random.chance(0.3) ? who : this.name());
  readonly rank = (): Rank => this.random.pick([1, 2, 2, 3, 4] as const);
  readonly organization = (): Organization => this.random.pick([...this.model.organizations.values()]);
  readonly endeavour = (): Endeavour | undefined => this.random.pick([...this.model.endeavours.values()]);
  private resource = (): Resource | undefined => this.random.pick([...this.model.resources.values()]);
  private kept = () => ({ endeavours: this.random.chance(0.2), links: this.random.chance(0.2) });

  /** Usually an admin or owner, so that more requests succeed than are rejected. */
  actorIn(place: Organization | Endeavour): string {
    const rank = (who: string): number =>
      'members' in place ? (place.members.get(who) ?? 0) : this.model.role(place, who);
    const high = NAMES.filter((who) => rank(who) >= 3);
    return high.length > 0 && this.random.chance(0.75) ? this.random.pick(high) : this.name();
  }
}
