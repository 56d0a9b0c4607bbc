/** A built-in ritual. */
export interface BuiltInRitual {
  name: string;
  description: string;
  schedule: { type: 'manual' } | { type: 'cron'; expression: string } | { type: 'interval'; every: string };
  prompt: string;
}

const every = (length: string) => ({ type: 'interval', every: length }) as const;
const at = (expression: string) => ({ type: 'cron', expression }) as const;
const MANUAL = { type: 'manual' } as const;

/** The position determines the id of a ritual, so new ones are added at the end. */
export const BUILT_IN_RITUALS: readonly BuiltInRitual[] = [
  {
    name: 'Task Review',
    description: 'Keeps what is being worked on true: statuses, owners, dates, blockers.',
    schedule: every('2h'),
    prompt: `Review the active tasks of this endeavour (GET /tasks?endeavour_id=...&status=active).

For each of them:
1. Is it still being worked on? If nothing has changed for a day, ask its assignee in a comment what is in the way.
2. Does its status say what is true? Move it, with a reason where it is canceled.
3. Is its due date past, or closer than the estimate allows? Say so to its owner and propose a new date or a smaller scope.
4. Has it neither assignee nor due date? Name who should take it, and by when.

Change only what you are sure of; put everything else into a comment as a question.
End with a summary of at most ten lines: what was moved, what is blocked and by what, what needs a decision and from whom.`,
  },
  {
    name: 'Health Check',
    description: 'Tells early that an endeavour is going off course.',
    schedule: every('1h'),
    prompt: `Judge the health of this endeavour from its report (GET /reports/endeavour/{id}).

Look at: overdue tasks, tasks without a change for two weeks, open tasks without an assignee, urgent demands without a task, rituals whose last run failed, and whether more was created than done in the last week.

Give one verdict:
- green: nothing overdue, nothing urgent unattended
- yellow: something slips, and those concerned can mend it
- red: a goal or the end date is in danger

Send a message only where the verdict changed since the last run or is red. Name the three facts that weigh most, each with a link to its task or demand, and one next step with a name. Do not repeat what the last message said.`,
  },
  {
    name: 'Backlog Triage',
    description: 'Turns new demands into something that can be worked on.',
    schedule: every('4h'),
    prompt: `Go through the open demands of this endeavour that have no task yet, oldest first (GET /demands?endeavour_id=...&status=open).

For each of them:
1. Is it understandable? If not, ask its creator one precise question in a comment and go on.
2. Is it there already? Relate it to the other one as a duplicate, and propose to cancel one of them.
3. Set its priority: urgent only where somebody is stopped right now, high where a goal depends on it.
4. Cut it into tasks that one person can finish in two days. Each title says what will be different afterwards.
5. Give what is urgent or high an owner and a due date.

Leave demands alone on which somebody is already working. Report how many were triaged, and which questions are open.`,
  },
  {
    name: 'Progress Digest',
    description: 'One short account a day of what has moved.',
    schedule: every('1d'),
    prompt: `Write the digest of the last 24 hours for everyone in this endeavour.

Use what has really changed: tasks finished and begun, demands fulfilled and new, decisions in comments and approvals.

Form, at most one screen:
- Done: one line each, with who did it
- In progress: what changed hands or status
- New: demands and tasks worth knowing of
- In the way: what waits, for whom, since when
- Next: the three things most likely to be finished tomorrow

No praise, no filler, no numbers without meaning. If nothing has moved, say so in one sentence and ask why.`,
  },
  {
    name: 'Goal Review',
    description: 'Holds the work against the goals of the endeavour.',
    schedule: every('1w'),
    prompt: `Hold the goals of this endeavour against what is being done.

For each goal:
1. Which demands and tasks serve it? Name them. A goal that nothing serves needs either work or an end.
2. What was finished for it in the last week, and what is left?
3. At this pace, will it be achieved by the end date? Give your reckoning, not only the answer.
4. Propose its status: open, achieved (say what proves it) or abandoned (say why).

Then the other way round: name work in progress that serves no goal, and ask its owner whether it should go on.
Close with at most three decisions that somebody has to take, each with a proposal.`,
  },
  {
    name: 'Task List',
    description: 'A plain list of what is to be done, whenever somebody asks.',
    schedule: MANUAL,
    prompt: `List the open tasks of this endeavour for the person who asked.

First those assigned to them, then those of nobody, then the rest. Within each group: overdue first, then by due date, then without a date.
One line per task: title, status, assignee, due date, and what it waits for, if anything.
At the end one sentence: what you would begin with, and why.`,
  },
  {
    name: 'Kanban Board',
    description: 'The state of the work in columns, with a look at what piles up.',
    schedule: MANUAL,
    prompt: `Draw the board of this endeavour as a Markdown table with the columns Planned, Active and Done (the last seven days).

Put each task into its column with its title and assignee, the oldest at the top. Mark overdue tasks and those that have been active for more than five days.
Below the table:
- work in progress per person; more than three active tasks of one person are worth a word
- where cards pile up, and since when
- what could be pulled next, in order, taking priority and due dates into account`,
  },
  {
    name: 'Daily Standup',
    description: 'Fifteen minutes at the start of the day, in writing.',
    schedule: at('0 9 * * 1-5'),
    prompt: `Good morning. Please answer in this thread before ten o'clock, in three lines:

1. What did I finish since the last standup? (link the tasks)
2. What will I finish today?
3. What is in my way, and who can help?

Then bring your tasks into the state that you have just described: status, assignee, due date.
Whoever leads the round gathers the answers at ten, brings those together who can help each other, and notes what has to be decided outside of this round. Discussions belong into the tasks concerned, not here.`,
  },
  {
    name: 'Weekly Digest',
    description: 'The week in one page, for those who were not there every day.',
    schedule: at('0 17 * * 5'),
    prompt: `Write the week of this endeavour on one page, for stakeholders who do not follow it daily. Take the report of the endeavour as your source (GET /reports/endeavour/{id}).

- In one sentence: are we on course?
- What can people do now that they could not do last Friday?
- What was planned for this week and did not happen, and why?
- Which decisions were taken, by whom?
- What will be different next Friday?
- Where do we need help, and from whom by when?

Write in whole sentences and plain words. Leave out everything that only the team needs.`,
  },
  {
    name: 'Retrospective',
    description: 'Looks back, and changes one thing.',
    schedule: every('2w'),
    prompt: `Prepare and lead the retrospective of the last two weeks.

Before: gather facts. What was planned, what was done, what was canceled and why, how long tasks stayed active, which definition-of-done checks failed most, which runs of rituals failed.
Together, each first in writing:
1. What helped us?
2. What held us up?
3. What surprised us?
Group the answers, and choose the one obstacle whose removal would help most. Look for causes in how we work, not in people.
Agree on one change, two at most. Each becomes a task with an owner, a due date within two weeks and a sign by which we shall see whether it helped.
Begin with the changes of last time: did they help? Keep, adapt or drop them.`,
  },
  {
    name: 'Sprint Planning',
    description: 'Decides what will be finished in the next two weeks.',
    schedule: every('2w'),
    prompt: `Prepare and lead the planning of the next two weeks.

1. What is left over from the last two weeks? Finish, cut down or cancel it; nothing is carried over unseen.
2. Who is there, and for how many hours? Take four fifths of that as what can be planned.
3. Which goal do we serve? Put it in one sentence that everyone can repeat.
4. Take demands in the order of their priority. For each: is it understood, what proves that it is done, how large is it? Cut what is larger than two days.
5. Stop when the capacity is used up. What does not fit stays where it is.
6. Every chosen task gets an owner, an estimate and a due date.

Write down: the goal, the chosen tasks with their owners, what was left out on purpose, and the two largest risks with what we do about them.`,
  },
];
