import type { DeclaredField } from '../common/declared-field.js';
import type { Kind } from '../common/kinds.js';
import type { ResourceScope } from '../platform/context/actor.js';
import type { Caller } from './authentication/caller.js';
import { rankOfCaller } from './visibility/visibility.js';

/** An entity that is visible to the caller, with its container and the caller's role there. */
export interface AuthorizedResource {
  id: string;
  kind: Kind;
  title: string;
  place: ResourceScope;
  /** 1 (guest, viewer) to 4 (owner, administrator); 0 for an entity without a container. */
  rank: number;
  /** The status of the endeavour or organization that contains it, if any. */
  containerStatus: string | null;
  containerKind: 'endeavour' | 'organization' | null;
  /** The running operation that blocks writes to the container, if any. */
  closedBy: string | null;
  /** The fields that the endeavour that contains it declares for its work; null for none. */
  fields: readonly DeclaredField[] | null;
}

/** An entity that is locked for a change until the end of the transaction. */
export interface LockedResource<E> extends AuthorizedResource {
  row: E;
}

/**
 * Additional columns to read with a locked entity: SQL over `own`, the row of the entity. After a wait for the lock,
 * joined rows can belong to the earlier version of that row, so the SQL must return the key that they belong to.
 */
export interface ExtraColumns {
  name: string;
  columns: string;
  joins: string;
}

/** The row that {@link AUTHORIZED_COLUMNS} selects. */
export interface AuthorizedRow {
  x_id: string;
  x_kind: Kind;
  x_title: string;
  x_endeavour_id: string | null;
  x_organization_id: string | null;
  x_owner_user_id: string | null;
  x_is_global: boolean;
  x_rank: number;
  endeavour_status: string | null;
  organization_status: string | null;
  x_closed_by: string | null;
  x_fields: readonly DeclaredField[] | null;
}

/** The names are prefixed because the columns of the entity's own row can have the same names. */
export const AUTHORIZED_COLUMNS = `x.id AS x_id, x.kind AS x_kind, x.title AS x_title, x.endeavour_id AS x_endeavour_id,
  x.organization_id AS x_organization_id, x.owner_user_id AS x_owner_user_id, x.is_global AS x_is_global,
  ${rankOfCaller('x')} AS x_rank, c.status AS endeavour_status, d.status AS organization_status,
  coalesce(c.closed_by, d.closed_by) AS x_closed_by, c.fields AS x_fields`;

/**
 * Joins the containers of an entity row `x`: the endeavour as `c`, the organization as `d`. For a write they are
 * share-locked, so that they are not archived until the transaction ends.
 */
export const containerJoins = (lock: 'FOR KEY SHARE' | ''): string => `
  LEFT JOIN LATERAL (SELECT e.status, e.closed_by, e.stages, e.fields FROM endeavours e WHERE e.id = x.endeavour_id ${lock}) c ON true
  LEFT JOIN LATERAL (SELECT o.status, o.closed_by FROM organizations o WHERE o.id = x.organization_id ${lock}) d ON true`;

/** Maps a row to the entity with its container and the caller's role there. */
export function toAuthorizedResource(row: AuthorizedRow, me: Caller): AuthorizedResource {
  return {
    id: row.x_id,
    kind: row.x_kind,
    title: row.x_title,
    place: {
      endeavourId: row.x_endeavour_id,
      organizationId: row.x_organization_id,
      ownerUserId: row.x_owner_user_id,
      isGlobal: row.x_is_global,
    },
    rank: me.isAdmin ? 4 : row.x_rank,
    containerStatus: row.endeavour_status ?? row.organization_status,
    containerKind: containerKindOf(row),
    closedBy: row.x_closed_by,
    fields: row.x_fields,
  };
}

function containerKindOf(row: AuthorizedRow): 'endeavour' | 'organization' | null {
  if (row.x_endeavour_id !== null) return 'endeavour';
  return row.x_organization_id !== null ? 'organization' : null;
}
