import type { Endeavour, Model, Organization, Rank, Resource } from './model.js';

/** A request of one person, the response that the model expects, and what the request changes in the model. */
export interface Act {
  who: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  body?: object;
  status: number;
  /** Runs if the status is a success; `id` is that of the created entity. */
  apply?: (id: string) => void;
  /** Runs if the status is a rejection, for a request that is kept although it is rejected. */
  keep?: () => void;
}

/** The status of the first check that rejects, in the order of the service; the success if none does. */
export function expectedStatus(success: number, ...checks: [status: number, rejects: boolean][]): number {
  return checks.find(([, rejects]) => rejects)?.[0] ?? success;
}

/** The checks of a new role for a person, which all routes share (spec 02). */
export function grantChecks(
  { mine, present, next, isLast }: { mine: Rank; present: Rank; next: Rank; isLast: boolean },
  isArchived: boolean,
): [number, boolean][] {
  const touched = next === present ? 0 : Math.max(next, present);
  return [
    [403, mine < 3],
    [403, touched > mine],
    [409, isLast && present === 4 && next < 4],
    [409, isArchived && !(present > 0 && next < present)],
  ];
}

export const createEndeavour = (m: Model, who: string, at: Organization | undefined, isPrivate: boolean): Act => ({
  who,
  method: 'post',
  path: '/endeavours',
  body: { name: 'Garden', is_private: isPrivate, ...(at !== undefined && { organization_id: at.id }) },
  status: expectedStatus(
    201,
    [400, at !== undefined && m.rankIn(at.id, who) === 0],
    [403, at !== undefined && m.rankIn(at.id, who) < 2],
    [409, at?.isArchived === true],
  ),
  apply: (id) =>
    m.endeavours.set(id, {
      id,
      home: at?.id ?? null,
      shares: new Set(),
      isPrivate,
      archived: 'no',
      direct: new Map([[who, 4]]),
      departed: new Set(),
    }),
});

export const setPrivate = (m: Model, who: string, endeavour: Endeavour, isPrivate: boolean): Act => ({
  who,
  method: 'patch',
  path: `/endeavours/${endeavour.id}`,
  body: { is_private: isPrivate },
  status: expectedStatus(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 3],
    [409, endeavour.archived !== 'no'],
  ),
  apply: () => (endeavour.isPrivate = isPrivate),
});

export const archiveEndeavour = (m: Model, who: string, endeavour: Endeavour): Act => ({
  who,
  method: 'post',
  path: `/endeavours/${endeavour.id}/archive`,
  body: { reason: 'Over' },
  status: expectedStatus(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 4],
    [409, endeavour.archived !== 'no'],
  ),
  apply: () => (endeavour.archived = 'alone'),
});

export const unarchiveEndeavour = (m: Model, who: string, endeavour: Endeavour): Act => ({
  who,
  method: 'post',
  path: `/endeavours/${endeavour.id}/unarchive`,
  body: {},
  status: expectedStatus(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 4],
    [403, endeavour.home === null ? endeavour.direct.get(who) !== 4 : m.rankIn(endeavour.home, who) < 4],
    [409, endeavour.archived === 'no'],
    [409, m.isHomeArchived(endeavour)],
  ),
  apply: () => (endeavour.archived = 'no'),
});

export const archiveOrganization = (m: Model, who: string, organization: Organization): Act => ({
  who,
  method: 'post',
  path: `/organizations/${organization.id}/archive`,
  body: { reason: 'Over' },
  status: expectedStatus(
    200,
    [404, m.rankIn(organization.id, who) === 0],
    [403, m.rankIn(organization.id, who) < 4],
    [409, organization.isArchived],
  ),
  apply() {
    organization.isArchived = true;
    for (const endeavour of m.endeavours.values()) {
      endeavour.shares.delete(organization.id);
      if (endeavour.home === organization.id && endeavour.archived === 'no') endeavour.archived = 'with home';
    }
  },
});

export const unarchiveOrganization = (m: Model, who: string, organization: Organization): Act => ({
  who,
  method: 'post',
  path: `/organizations/${organization.id}/unarchive`,
  body: {},
  status: expectedStatus(
    200,
    [404, m.rankIn(organization.id, who) === 0],
    [403, m.rankIn(organization.id, who) < 4],
    [409, !organization.isArchived],
  ),
  apply() {
    organization.isArchived = false;
    for (const endeavour of m.endeavours.values()) {
      if (endeavour.home === organization.id && endeavour.archived === 'with home') endeavour.archived = 'no';
    }
  },
});

/** An empty patch, which succeeds if the person may change the resource. */
export const probe = (m: Model, who: string, thing: Endeavour | Resource): Act => {
  const isResource = 'creator' in thing;
  return {
    who,
    method: 'patch',
    path: `/${isResource ? 'resources' : 'endeavours'}/${thing.id}`,
    body: {},
    status: isResource
      ? expectedStatus(
          200,
          [404, m.visibilityOf(thing, who) === 0],
          [403, !m.manages(thing, who)],
          [409, m.isHomeArchived(thing)],
        )
      : expectedStatus(
          200,
          [404, m.role(thing, who) === 0],
          [403, m.role(thing, who) < 3],
          [409, thing.archived !== 'no'],
        ),
  };
};
