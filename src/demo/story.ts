/** The story of the demo: a town library reopens and moves its catalogue. */

export type PersonName = 'clara' | 'noor' | 'theo' | 'ines' | 'tomasz' | 'scribe';

export const ORGANIZATION = {
  name: 'Harbour Library',
  description: 'A town library that reopens after two years of building work.',
};

export const PEOPLE: Record<PersonName, { name: string; user_type?: 'agent' }> = {
  clara: { name: 'Clara Voss' },
  noor: { name: 'Noor Haddad' },
  theo: { name: 'Theo Lindqvist' },
  ines: { name: 'Inês Carvalho' },
  tomasz: { name: 'Tomasz Zieliński' },
  scribe: { name: 'Scribe', user_type: 'agent' },
};

export const ENDEAVOURS = {
  reopening: {
    name: 'Reopen the reading room',
    description: 'Everything between the builders leaving and the first reader sitting down.',
    goals: ['Every seat has light and power', 'Opening day is announced in three languages'],
  },
  catalogue: {
    name: 'Move the catalogue',
    description: '84,000 records move from a system that is no longer maintained.',
    goals: ['No reader notices the switch'],
  },
};

export type EndeavourName = keyof typeof ENDEAVOURS;

export const POLICY = {
  name: 'Reviewed and proved',
  description: 'Work on the catalogue is done when a second person has checked it and the product owner agrees.',
  conditions: [
    { type: 'checklist_complete', label: 'Every step of the checklist is ticked' },
    { type: 'comment_required', label: 'What was found is written down' },
    { type: 'peer_review', label: 'Someone else has approved it', params: { min_reviewers: 1 } },
    { type: 'stakeholder_sign_off', label: 'The product owner agrees', params: { role: 'product_owner' } },
  ],
};

export const DEMANDS = {
  seats: {
    place: 'reopening',
    by: 'clara',
    type: 'story',
    priority: 'high',
    title: 'Readers find a lit seat with power',
  },
  signs: { place: 'reopening', by: 'noor', type: 'story', title: 'Visitors find their way without asking' },
  records: {
    place: 'catalogue',
    by: 'clara',
    type: 'requirement',
    priority: 'urgent',
    title: 'All records arrive unchanged',
  },
  letters: {
    place: 'catalogue',
    by: 'ines',
    type: 'bug',
    priority: 'high',
    title: 'Titles with ł and ß come out as question marks',
  },
} satisfies Record<string, { place: EndeavourName; by: PersonName; [field: string]: string }>;

export interface PlannedTask {
  demand: keyof typeof DEMANDS;
  by: PersonName;
  /** `crew` is the catalogue team. */
  assignee?: PersonName | 'crew';
  title: string;
  estimate: number;
  /** Days from today. */
  due?: number;
  checklist?: Record<string, boolean>;
  /** Statuses after planned, the last one with these fields. */
  moves?: string[];
  end?: { actual?: number; canceled_reason?: string };
}

/** The tasks, by the names that the rest of the story uses. */
export const TASKS = {
  light: {
    demand: 'seats',
    by: 'theo',
    assignee: 'theo',
    title: 'Measure the light at every table',
    estimate: 3,
    moves: ['active', 'done'],
    end: { actual: 4.5 },
  },
  lamps: {
    demand: 'seats',
    by: 'theo',
    assignee: 'tomasz',
    title: 'Order 46 table lamps',
    estimate: 1,
    due: 5,
    moves: ['active'],
  },
  power: {
    demand: 'seats',
    by: 'noor',
    assignee: 'tomasz',
    title: 'Lay power to the window seats',
    estimate: 16,
    due: 12,
  },
  shelves: {
    demand: 'seats',
    by: 'noor',
    title: 'Move the shelves away from the sockets',
    estimate: 8,
    moves: ['canceled'],
    end: { canceled_reason: 'No longer needed: the old shelves stay.' },
  },
  texts: {
    demand: 'signs',
    by: 'noor',
    assignee: 'ines',
    title: 'Write the signs in Portuguese, English and Ukrainian',
    estimate: 5,
    due: 8,
    moves: ['active'],
  },
  walk: { demand: 'signs', by: 'noor', title: 'Walk through with a first-time visitor', estimate: 2, due: 20 },
  count: {
    demand: 'records',
    by: 'clara',
    assignee: 'theo',
    title: 'Count the records on both sides, shelf by shelf',
    estimate: 6,
    due: -2,
    checklist: { 'Adult shelves': true, "Children's shelves": true, Magazines: false },
    moves: ['active'],
  },
  sample: {
    demand: 'records',
    by: 'clara',
    assignee: 'crew',
    title: 'Compare a thousand random records by eye',
    estimate: 12,
    due: 9,
  },
  night: { demand: 'records', by: 'clara', title: 'Switch the catalogue over at night', estimate: 4, due: 15 },
  cause: {
    demand: 'letters',
    by: 'ines',
    assignee: 'ines',
    title: 'Find out which export cuts the letters',
    estimate: 4,
    checklist: { 'Reproduced with ten titles': true, 'Cause named': true },
    moves: ['active'],
  },
  export: {
    demand: 'letters',
    by: 'ines',
    assignee: 'scribe',
    title: 'Export again as UTF-8 and prove it on ten titles',
    estimate: 3,
    due: 3,
  },
} satisfies Record<string, PlannedTask>;

export type TaskName = keyof typeof TASKS;

/** Each pair is a blocked task and the task that blocks it. */
export const DEPENDENCIES: [TaskName, TaskName][] = [
  ['power', 'lamps'],
  ['night', 'count'],
  ['night', 'sample'],
  ['export', 'cause'],
];

export const COMMENTS: { on: TaskName; by: PersonName; content: string }[] = [
  {
    on: 'lamps',
    by: 'tomasz',
    content: 'The supplier has 40; the other six come a week later. Enough for the opening?',
  },
  { on: 'lamps', by: 'clara', content: 'Yes, if the window seats get theirs first. @Tomasz Zieliński please order.' },
  { on: 'power', by: 'tomasz', content: 'Blocked: without the lamps I do not know which sockets they need.' },
  { on: 'shelves', by: 'tomasz', content: 'Careful behind the third shelf, the old boards may contain asbestos.' },
  { on: 'count', by: 'theo', content: '61,402 on both sides so far. The magazines are still in boxes.' },
  { on: 'cause', by: 'ines', content: 'It is the nightly dump: it writes Latin-1. The records themselves are whole.' },
];

/** Terms that alert the administrators of the organization. */
export const ALERT_TERMS = [{ term: 'asbestos', weight: 9 }, 'lawyer'];

/** The results of the stand-ups of the last five working days, oldest first. */
export const STAND_UPS = [
  'Builders have left. Light measured at all tables: 46 lamps needed. Nothing blocked.',
  'Lamps chosen. Shelves stay where they are, one task less. The catalogue loses letters: Inês looks for the cause.',
  'Cause found: the nightly dump writes Latin-1. Counting began, 20,000 records.',
  'Texts for the signs in two of three languages. 45,000 records counted.',
  'Power waits for the lamps. 61,402 records counted; the magazines are late.',
];
