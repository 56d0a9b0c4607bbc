/** The people of the demo, by the short name that the work below uses. */
export const PEOPLE = {
  clara: 'Clara Voss',
  noor: 'Noor Haddad',
  theo: 'Theo Lindqvist',
  ines: 'Inês Carvalho',
  tomasz: 'Tomasz Zieliński',
};

export const ENDEAVOURS = {
  reopening: {
    name: 'Reopen the reading room',
    description: 'Everything between the builders leaving and the first reader sitting down.',
    goals: ['Every seat has light and power', { title: 'Opening day is announced in three languages', status: 'open' }],
    timezone: 'Europe/Lisbon',
  },
  catalogue: {
    name: 'Move the catalogue',
    description: '84,000 records leave a system that nobody dares to restart.',
    goals: ['No reader notices the switch'],
    timezone: 'Europe/Lisbon',
  },
};

export const DEMANDS = {
  seats: {
    endeavour: 'reopening',
    by: 'clara',
    type: 'story',
    priority: 'high',
    title: 'Readers find a lit seat with power',
  },
  signs: { endeavour: 'reopening', by: 'noor', type: 'story', title: 'Visitors find their way without asking' },
  records: {
    endeavour: 'catalogue',
    by: 'clara',
    type: 'requirement',
    priority: 'urgent',
    title: 'All records arrive unchanged',
  },
  umlauts: {
    endeavour: 'catalogue',
    by: 'ines',
    type: 'bug',
    priority: 'high',
    title: 'Titles with ł and ß come out as question marks',
  },
};

/** `moves` are the statuses that a task went through after planned. */
export const TASKS = [
  {
    demand: 'seats',
    by: 'theo',
    assignee: 'theo',
    title: 'Measure the light at every table',
    estimate: 3,
    moves: ['active', 'done'],
  },
  {
    demand: 'seats',
    by: 'theo',
    assignee: 'tomasz',
    title: 'Order 46 table lamps',
    estimate: 1,
    due_in_days: 5,
    moves: ['active'],
  },
  {
    demand: 'seats',
    by: 'noor',
    assignee: 'tomasz',
    title: 'Lay power to the window seats',
    estimate: 16,
    due_in_days: 12,
  },
  { demand: 'seats', by: 'noor', title: 'Move the shelves away from the sockets', estimate: 8, moves: ['canceled'] },
  {
    demand: 'signs',
    by: 'noor',
    assignee: 'ines',
    title: 'Write the signs in Portuguese, English and Ukrainian',
    estimate: 5,
    due_in_days: 8,
    moves: ['active'],
  },
  {
    demand: 'signs',
    by: 'noor',
    title: 'Walk the house with somebody who has never been here',
    estimate: 2,
    due_in_days: 20,
  },
  {
    demand: 'records',
    by: 'clara',
    assignee: 'theo',
    title: 'Count the records on both sides, shelf by shelf',
    estimate: 6,
    due_in_days: -2,
    moves: ['active'],
  },
  {
    demand: 'records',
    by: 'clara',
    assignee: 'ines',
    title: 'Compare a thousand random records by eye',
    estimate: 12,
    due_in_days: 9,
  },
  {
    demand: 'records',
    by: 'clara',
    title: 'Agree on the night of the switch with the city',
    estimate: 1,
    due_in_days: 15,
  },
  {
    demand: 'umlauts',
    by: 'ines',
    assignee: 'ines',
    title: 'Find out which export cuts the letters',
    estimate: 4,
    moves: ['active', 'done'],
  },
  {
    demand: 'umlauts',
    by: 'ines',
    assignee: 'tomasz',
    title: 'Export again as UTF-8 and prove it on ten titles',
    estimate: 3,
    due_in_days: 3,
  },
];
