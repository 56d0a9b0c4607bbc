import type { Actor } from '../context/actor.js';
import { Parameters } from '../events/statements.js';
import { isPlaced } from '../../common/kinds.js';
import type { View } from '../database/views/view.js';
import type { Filter, ListDefinition, ListRequest, Statement } from './definition.js';

/** The user who reads a list. */
export interface Viewer extends Actor {
  isAdmin: boolean;
  /** The only container that the user can access. */
  containerId?: string;
  /** Set if organizations are withheld from the user. */
  isHeldBack?: true;
  unreachedId?: string;
}

/** The parameters of a list statement; `$1` is the asking user. */
export class ListStatement extends Parameters implements Statement {
  readonly me = '$1';
  private resource?: string;

  constructor(private readonly viewer: Viewer) {
    super(viewer.userId);
    this.bind = this.bind.bind(this);
  }

  myResource(): string {
    this.resource ??= this.bind(this.viewer.resourceId);
    return this.resource;
  }
}

/** The condition for all visible and matching rows; also for counts by status. */
export function conditionOf(
  definition: ListDefinition,
  request: ListRequest,
  me: Viewer,
  p: ListStatement,
  scope?: () => string,
): string {
  return [...withoutSearch(definition, request, me, p, scope), ...searched(definition, request, p)].join('\n AND ');
}

/** The same without the search. */
export function withoutSearch(
  definition: ListDefinition,
  request: ListRequest,
  me: Viewer,
  p: ListStatement,
  scope = () => scopeOf(definition, request, p),
): string[] {
  const { baseCondition = 'true' } = definition;
  const conditions = [p.anchor, typeof baseCondition === 'string' ? baseCondition : baseCondition(p)];
  const isScoped = !me.isAdmin || request.mine;
  if (isScoped) conditions.push(scope());
  // Partitions know which containers are archived, so rows need no check.
  if (!isScoped || definition.partitions === undefined) conditions.push(...byContainer(definition, request));
  const isInOwnContainers = isScoped && definition.partitions !== undefined;
  const isConfined = (me.containerId ?? me.unreachedId) !== undefined || me.isHeldBack === true;
  if (isConfined && isInEntities(definition) && !isInOwnContainers) conditions.push(isThere(definition.view));
  for (const [name, condition] of Object.entries(definition.defaultFilters ?? {})) {
    if (!request.filters.has(name)) conditions.push(condition);
  }
  for (const [name, value] of request.filters) {
    const filter: Filter = definition.filters[name];
    if (filter.where !== undefined) conditions.push(filter.where(value as never, p, request));
  }
  return conditions;
}

function byContainer({ isArchived }: ListDefinition, { archived }: ListRequest): string[] {
  if (isArchived === undefined || archived === 'any') return [];
  return [archived === 'true' ? isArchived : `NOT ${isArchived}`];
}

const isInEntities = ({ view, isUnplaced }: ListDefinition): boolean => isPlaced(view.kind) && isUnplaced !== true;

/** Of what belongs to no container, `entities` shows nothing to a confined request (see database/transactions/confinement.ts). */
const isThere = ({ alias }: View): string => `EXISTS (SELECT 1 FROM entities there WHERE there.id = ${alias}.id)`;

/** Whether the caller has a role in a single named container is determined once, not for each row. */
function scopeOf(definition: ListDefinition, { filters, archived }: ListRequest, p: ListStatement): string {
  const { partitions, candidateIds, view } = definition;
  const scope = definition.scope?.(p) ?? 'false';
  if (candidateIds !== undefined && !candidateIds.unless.some((name) => filters.has(name))) {
    return `${view.alias}.id = ANY(ARRAY(${candidateIds.ids(p.me)})) AND ${scope}`;
  }
  if (partitions === undefined) return scope;
  const named = filters.get('endeavour_id');
  const own = partitions.of(p.me, archived);
  // An array that is computed once, because the planner cannot estimate the number of containers.
  if (!Array.isArray(named) || named.length !== 1) return `${partitions.column} = ANY(ARRAY(${own}))`;
  return `EXISTS (SELECT 1 FROM (${own}) AS own (id) WHERE own.id = ${p.bind(named[0])})`;
}

/** The condition of the search. */
export function searched(
  { search }: ListDefinition,
  { search: text, searchQuery }: ListRequest,
  p: ListStatement,
): string[] {
  if (search === undefined || text === undefined) return [];
  const { relevance } = search;
  return [
    searchQuery === undefined || relevance === undefined ? search.where(text, p) : relevance.where(searchQuery, p),
  ];
}
