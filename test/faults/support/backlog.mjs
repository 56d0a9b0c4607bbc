import { readFileSync } from 'node:fs';

/** Resolutions of issues that were closed without being done. */
const CANCELED = ['wontfix', 'duplicate', 'invalid', 'worksforme', 'notabug', 'patchwelcome'];
const MAX_TEXT = 50_000;

/** Reads the issues of a backlog in JSON Lines, one issue per line. */
export const readBacklog = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const isUnclean = (text) => !text.isWellFormed() || /[^\P{Cc}\t\n\r]/u.test(text);

/** An import refuses issues with control characters, or with a description of more than 50,000 characters. */
function canBeBrought({ title, description = '', comments = [] }) {
  return (
    [...description].length <= MAX_TEXT && ![title, description, ...comments.map(({ body }) => body)].some(isUnclean)
  );
}

const titleOf = ({ title }) => title.replaceAll(/\s+/g, ' ').trim();
const later = (one, other) => (Date.parse(one) > Date.parse(other) ? one : other);

/**
 * Computes the expected figures of an import from the file alone, without code of the service. Issues that were closed
 * in the last two years of the backlog count as open, so that there is work left to do.
 */
export function expectationsOf(issues) {
  const since = `${Math.max(...issues.map(({ closed_at }) => Number(closed_at?.slice(0, 4) ?? 0))) - 1}-01-01T00:00:00Z`;
  const brought = withBlocks(issues)
    .filter(canBeBrought)
    .map((issue) => ({ ...issue, title: titleOf(issue), ...stateOf(issue, since) }));
  const keys = new Set(brought.map(({ key }) => key));
  const edges = brought.flatMap(edgesOf);
  const kept = edges.filter(({ to }) => keys.has(to));
  const blocked = blockedOf(brought, kept);
  const open = brought.filter(({ state }) => state === 'planned');
  const old = open.filter(({ created_at }) => created_at < since);
  return {
    since,
    tasks: brought.length,
    refused: issues.length - brought.length + edges.length - kept.length,
    comments: brought.reduce((sum, { comments = [] }) => sum + comments.length, 0),
    relations: kept.length,
    states: countsOf(brought),
    closings: brought.filter(({ endedAt }) => endedAt !== null).length,
    blocked: blocked.size,
    assigned: old.length,
    ready: open.filter(({ key, created_at }) => created_at >= since && !blocked.has(key)).length,
    titles: brought.map(({ title }) => title).sort(),
    years: yearsOf(brought),
  };
}

function stateOf({ resolution, created_at, closed_at }, since) {
  if (closed_at === undefined || closed_at >= since) return { state: 'planned', endedAt: null };
  const endedAt = later(closed_at, created_at);
  return { state: CANCELED.includes(resolution) ? 'canceled' : 'done', endedAt };
}

const countsOf = (issues) => {
  const count = (state) => issues.filter((issue) => issue.state === state).length;
  return { planned: count('planned'), done: count('done'), canceled: count('canceled') };
};

/** The links that the service imports as relations, from the issue that has the link to the other one. */
const edgesOf = ({ key, blocks = [], duplicate_of, parent }) => [
  ...blocks.map((to) => ({ type: 'blocks', from: key, to })),
  ...[duplicate_of ?? []].flat().map((to) => ({ type: 'duplicates', from: key, to })),
  ...[parent ?? []].flat().map((to) => ({ type: 'parent_of', from: key, to })),
];

function blockedOf(brought, edges) {
  const open = new Set(brought.filter(({ state }) => state === 'planned').map(({ key }) => key));
  return new Set(
    edges.filter(({ type, from, to }) => type === 'blocks' && open.has(from) && open.has(to)).map(({ to }) => to),
  );
}

/** For each year of the history: how many tasks were created and closed in it, and the states of tasks at its end. */
function yearsOf(brought) {
  const times = brought.flatMap(({ created_at, endedAt }) => [created_at, endedAt ?? created_at]);
  const years = [...new Set(times.map((time) => Number(time.slice(0, 4))))];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const year = first + at;
    const end = `${year + 1}-01-01`;
    const isIn = (time) => time?.startsWith(`${year}-`) === true;
    const there = brought.filter(({ created_at }) => created_at < end);
    const standing = there.map(({ state, endedAt }) => ({
      state: endedAt !== null && endedAt < end ? state : 'planned',
    }));
    return {
      year,
      created: brought.filter(({ created_at }) => isIn(created_at)).length,
      completed: brought.filter(({ state, endedAt }) => state === 'done' && isIn(endedAt)).length,
      closed: brought.filter(({ endedAt }) => isIn(endedAt)).length,
      ...countsOf(standing),
    };
  });
}

/** Adds the keys of the issues that depend on an issue to that issue, if it is in the file. */
function withBlocks(issues) {
  const waiting = new Map(issues.map(({ key }) => [key, []]));
  for (const { key, depends_on = [] } of issues) for (const on of depends_on) waiting.get(on)?.push(key);
  return issues.map((issue) => ({ ...issue, blocks: waiting.get(issue.key) }));
}

/** The backlog as the response to a search in Jira, with comments and links. */
export const asJira = (issues, since) => ({ issues: withBlocks(issues).map((issue) => jiraIssue(issue, since)) });

function jiraIssue({ key, comments = [], ...issue }, since) {
  const { state } = stateOf(issue, since);
  const isOver = state !== 'planned';
  const link = (name, other) => ({ type: { name }, outwardIssue: { key: other } });
  return {
    key,
    self: `https://jira.example.com/rest/api/3/issue/${key}`,
    fields: {
      summary: issue.title,
      description: issue.description,
      status: { name: isOver ? 'Closed' : 'Open', statusCategory: { key: isOver ? 'done' : 'new' } },
      ...(isOver && { resolution: { name: issue.resolution }, resolutiondate: issue.closed_at }),
      created: issue.created_at,
      issuetype: { name: issue.type },
      priority: { name: issue.priority },
      labels: issue.labels,
      reporter: personOf(issue.reporter),
      assignee: personOf(issue.assignee),
      ...(issue.parent !== undefined && { parent: { key: issue.parent } }),
      comment: {
        comments: comments.map(({ author, body, created_at }, at) => ({
          id: `${key}-${at}`,
          author: personOf(author),
          body,
          created: created_at,
        })),
      },
      issuelinks: [
        ...issue.blocks.map((other) => link('Blocks', other)),
        ...[issue.duplicate_of ?? []].flat().map((other) => link('Duplicate', other)),
      ],
    },
  };
}

const personOf = (name) => (name === undefined ? null : { displayName: name });
