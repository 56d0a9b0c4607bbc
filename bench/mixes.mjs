/**
 * What one user sends in the busiest hour of a day, by kind of user: requests of each route of routes.mjs. A person opens
 * a page a minute; an integration reads the feed every six seconds and follows up; an agent works without a pause.
 */
export const MIXES = {
  people: {
    who: 'a person at work',
    requests: { list: 16, get: 20, work: 8, summary: 4, search: 3, patch: 4, post: 2, comment: 3 },
  },
  integrations: {
    who: 'an integration that follows the feed',
    requests: { feed: 600, get: 360, patch: 120, post: 60, comment: 60 },
  },
  agents: {
    who: 'an agent that works without a pause',
    requests: { ready: 120, get: 240, search: 60, patch: 120, comment: 60 },
  },
};

export const MIXED_ROUTES = [...new Set(Object.values(MIXES).flatMap(({ requests }) => Object.keys(requests)))];

/** The load of a company in its busiest hour, for each account: half of the people, and what works for them. */
export const COMPANY = { people: 0.5, integrations: 1 / 200, agents: 1 / 50 };

/** New tasks that an account makes in a year: one on each working day. */
export const TASKS_A_YEAR = 250;
