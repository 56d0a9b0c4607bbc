import { formatNumber, table } from '../report.mjs';

/**
 * Lists of members must neither scan a large table nor exceed their time limit. Lists of administrators cover all data:
 * exact totals and most sort orders read all rows.
 */
export const isAtFault = ({ who, sequential, isCutOff }) => who === 'member' && (isCutOff || sequential.length > 0);

const queryText = (query) => query.map(([name, value]) => `${name}=${shortened(value)}`).join(' & ') || 'nothing';
const shortened = (value) => value.replace(/^([a-z]{3})_[0-9a-f]{32}$/, '<$1>');

/** Returns PLANS.md: the plans of all lists, those at fault first. */
export function describe(found) {
  const section = (title, some) => (some.length === 0 ? [] : [`## ${title}: ${some.length}`, tableOf(some)]);
  const sound = found.filter((one) => !isAtFault(one));
  return [
    '# How lists are found',
    `${found.length} list requests, with the plans that PostgreSQL uses for the service: generic plans, or plans for the given values
where the service requests them. "read through" names the tables of more than 10,000 rows that the plan reads row by row,
which is a defect for members; "if planned otherwise" names further such tables of the other kind of plan. Each time is
that of a single request, on a machine with other work.`,
    ...section('At fault', found.filter(isAtFault)),
    ...section(
      'Members',
      sound.filter(({ who }) => who === 'member'),
    ),
    ...section(
      'Administrators',
      sound.filter(({ who }) => who === 'administrator'),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Requests for one list that use the same indexes share a row. */
function tableOf(found) {
  const groups = new Map();
  for (const one of found) {
    const { who, list, indexes, sequential, other, isCutOff } = one;
    const unused = other.filter((name) => !sequential.includes(name));
    const through = [...(isCutOff ? ['took too long'] : []), ...sequential];
    const key = [who, list.replace('/api/v1', ''), indexes.join(', '), through.join(', '), unused.join(', ')];
    groups.set(key.join('|'), { key, all: [...(groups.get(key.join('|'))?.all ?? []), one] });
  }
  const most = (all, name) => formatNumber(Math.max(...all.map((one) => one[name])));
  return table(
    ['who', 'list', 'asked for', 'cost', 'ms', 'indexes', 'read through', 'if planned otherwise'],
    [...groups.values()].map(({ key: [who, list, indexes, through, unused], all }) => {
      const asked = all.map(({ query }) => queryText(query)).join('; ');
      return [who, list, asked, most(all, 'cost'), most(all, 'ms'), indexes, through, unused];
    }),
    { isAligned: false },
  );
}

/** Returns a short summary for the terminal. */
export function summarize(found) {
  const faults = found.filter(isAtFault);
  const slowest = [...found].sort((a, b) => b.ms - a.ms).slice(0, 15);
  return [
    ...(faults.length === 0 ? [] : [`At fault: ${faults.length}`, tableOf(faults)]),
    'The slowest:',
    ...slowest.map(
      ({ who, list, query, ms }) => `  ${formatNumber(ms).padStart(6)} ms  ${who} ${list}: ${queryText(query)}`,
    ),
    `${found.length} questions, ${faults.length} at fault.`,
  ].join('\n');
}
