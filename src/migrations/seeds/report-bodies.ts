import type { ReportWords } from './report-words.js';

type Scope = keyof ReportWords['names'];

/** Liquid code that inserts the word for a code. */
const worded = (value: string, words: Record<string, string>): string =>
  `{% case ${value} %}${Object.entries(words)
    .map(([code, word]) => `{% when '${code}' %}${word}`)
    .join('')}{% else %}{{ ${value} }}{% endcase %}`;

const day = (value: string, zone = 'timezone'): string => `{{ ${value} | date: "%Y-%m-%d", ${zone} }}`;
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const heads = (...cells: string[]): string => `${row(...cells)}\n${row(...cells.map(() => '---'))}`;
/** Rows of a table without empty lines between them, which would end it. */
const rows = (item: string, list: string, ...cells: string[]): string =>
  `{% for ${item} in ${list} -%}\n${row(...cells)}\n{% endfor %}`;
const dueDay = (thing: string, { overdue }: ReportWords, open: string): string =>
  `{% if ${thing}.due_date %}${day(`${thing}.due_date`)}{% if ${thing}.due_date < generated_at and ${open} %} (${overdue}){% endif %}{% else %}-{% endif %}`;

/** A note below a truncated list, such as "100 of 13,338 shown". */
const shown = (list: string, total: string, { shown: said }: ReportWords): string =>
  `{% if ${list}.size < ${total} %}
_${said.replace('{shown}', `{{ ${list}.size | number: lang }}`).replace('{total}', `{{ ${total} | number: lang }}`)}_
{% endif %}`;
const count = (value: string): string => `{{ ${value} | number: lang }}`;

const asOf = ({ asOf: said }: ReportWords): string =>
  `_${said} {{ generated_at | date: "%Y-%m-%d %H:%M", timezone }} ({{ timezone }})_\n`;

const isOpenTask = (task: string): string => `${task}.completed_at == nil and ${task}.canceled_at == nil`;
const isOpenDemand = 'demand.fulfilled_at == nil and demand.canceled_at == nil';

const description = (thing: string, w: ReportWords): string =>
  `{% if ${thing}.description %}\n## ${w.description}\n\n{{ ${thing}.description | raw }}\n{% endif %}`;

const taskTable = (list: string, w: ReportWords): string =>
  `${heads(w.task, w.status, w.assignee, w.due)}\n${rows(
    'task',
    list,
    '{{ task.title }}',
    worded('task.status', w.statuses),
    `{{ task.assignee_name | default: "${w.nobody}" }}`,
    dueDay('task', w, isOpenTask('task')),
  )}`;

const policy = ({ policy: said }: ReportWords): string =>
  `**${said}:** {{ dod.policy.name }} v{{ dod.policy.version }}`;

/** The unmet conditions of a task, or for a done task what it was completed by. */
const taskDod = (w: ReportWords): string => `{% if task.dod %}**${worded('task.dod.result', {
  met: w.met,
  overridden: w.overridden,
  no_policy: w.noPolicy,
  imported: w.imported,
})}**{% if task.dod.overridden %} (${w.overridden}: {{ task.dod.reason }}){% endif %}

{% endif %}{% if dod.policy == nil %}{% unless task.dod %}${w.noPolicy}
{% endunless %}{% elsif task.status != 'done' %}${policy(w)} · **{% if dod.is_met %}${w.met}{% else %}${w.notMet}{% endif %}**

${heads(w.condition, w.status, w.detail)}
${rows('condition', 'dod.conditions', '{{ condition.label }}', `{% if condition.status == 'passed' %}${w.met}{% else %}${w.notMet}{% endif %}`, '{{ condition.detail }}')}{% else %}${policy(w)}
{% endif %}`;

const task = (w: ReportWords): string => `# {{ task.title }}

${asOf(w)}
${heads(w.task, '{{ task.id }}')}
${row(w.endeavour, '{{ task.endeavour_name }}')}
${row(w.status, `**${worded('task.status', w.statuses)}**`)}
${row(w.demand, `{{ task.demand_title | default: "${w.none}" }}`)}
${row(w.assignee, `{{ task.assignee_name | default: "${w.nobody}" }}`)}
${row(w.owner, '{{ task.owner_name }}')}
${row(w.due, dueDay('task', w, isOpenTask('task')))}
${row(`${w.estimate} (${w.hours})`, '{{ task.estimate | default: "-" }}')}
${row(`${w.actual} (${w.hours})`, '{{ task.actual | default: "-" }}')}
${row(w.started, day('task.started_at'))}
${row(w.finished, day('task.completed_at'))}
{% if task.canceled_reason %}
**${w.reason}:** {{ task.canceled_reason }}
{% endif %}{% if blocked_by.size > 0 %}
## ${w.waitsFor}

{% for other in blocked_by -%}
- {{ other.title }} (${worded('other.status', w.statuses)})
{% endfor %}{% endif %}
## ${w.dod}

${taskDod(w)}${description('task', w)}{% if task.metadata.checklist %}
## ${w.checklist}

{% for item in task.metadata.checklist -%}
- [{% if item.checked %}x{% else %} {% endif %}] {{ item.title | default: item.text | default: item.label }}
{% endfor %}{% endif %}`;

const demand = (w: ReportWords): string => `# {{ demand.title }}

${asOf(w)}
${heads(w.demand, '{{ demand.id }}')}
${row(w.endeavour, '{{ demand.endeavour_name }}')}
${row(w.type, '{{ demand.type }}')}
${row(w.status, `**${worded('demand.status', w.statuses)}**`)}
${row(w.priority, worded('demand.priority', w.priorities))}
${row(w.owner, '{{ demand.owner_name }}')}
${row(w.due, dueDay('demand', w, isOpenDemand))}
${row(w.progress, '{{ demand.progress.done }} / {{ demand.progress.planned | plus: demand.progress.active | plus: demand.progress.done }}')}
{% if demand.canceled_reason %}
**${w.reason}:** {{ demand.canceled_reason }}
{% endif %}${description('demand', w)}
## ${w.tasks}

{% if tasks.size > 0 %}${taskTable('tasks', w)}{% assign all_tasks = demand.progress.planned | plus: demand.progress.active | plus: demand.progress.done | plus: demand.progress.canceled %}${shown('tasks', 'all_tasks', w)}{% else %}${w.none}
{% endif %}`;

const attention = (w: ReportWords): string => `## ${w.attention}

{% if overdue_tasks.size == 0 and stale_tasks.size == 0 and blocked_total == 0 %}${w.allGood}
{% endif %}{% if counts.tasks.unassigned > 0 %}${w.unassigned}: **${count('counts.tasks.unassigned')}**
{% endif %}{% if overdue_tasks.size > 0 %}
### ${w.overdueTasks} (${count('counts.tasks.overdue')})

${taskTable('overdue_tasks', w)}${shown('overdue_tasks', 'counts.tasks.overdue', w)}{% endif %}{% if blocked_tasks.size > 0 %}
### ${w.blockedTasks} (${count('blocked_total')})

${heads(w.task, w.status, w.assignee, w.waitsFor)}
${rows('task', 'blocked_tasks', '{{ task.title }}', worded('task.status', w.statuses), `{{ task.assignee_name | default: "${w.nobody}" }}`, '{{ task.blocked_by | map: "title" | join: ", " }}')}${shown('blocked_tasks', 'blocked_total', w)}{% endif %}{% if review_tasks.size > 0 %}
### ${w.reviewTasks} (${count('dod.waiting')})

${heads(w.task, w.since, w.waitsFor)}
${rows('task', 'review_tasks', '{{ task.title }}', day('task.started_at'), '{{ task.waits_for | join: ", " }}')}${shown('review_tasks', 'dod.waiting', w)}{% endif %}{% if stale_tasks.size > 0 %}
### ${w.staleTasks} (${count('counts.tasks.stale')})

${heads(w.task, w.status, w.assignee, w.lastChange)}
${rows('task', 'stale_tasks', '{{ task.title }}', worded('task.status', w.statuses), `{{ task.assignee_name | default: "${w.nobody}" }}`, day('task.updated_at'))}${shown('stale_tasks', 'counts.tasks.stale', w)}{% endif %}
`;

const endeavourDod = (w: ReportWords): string => `## ${w.dod}

{% if dod.policy == nil %}${w.noPolicy}
{% else %}${policy(w)}

${heads(w.activeTasks, w.met, w.notMet, w.overridden)}
${row(`{{ dod.met | plus: dod.not_met | plus: dod.overridden | number: lang }}`, count('dod.met'), count('dod.not_met'), count('dod.overridden'))}
{% if dod.truncated %}
_${w.firstThousand}_
{% endif %}{% endif %}
`;

const contributors = (w: ReportWords): string => `{% if contributors.size > 0 %}## ${w.contributors}

${heads(w.assignee, w.statuses.planned, w.statuses.active, w.statuses.done, w.hours)}
${rows('who', 'contributors', '{{ who.name }}', '{{ who.planned }}', '{{ who.active }}', '{{ who.done }}', '{{ who.hours }}')}
{% endif %}`;

const rituals = (w: ReportWords): string => `{% if rituals.size > 0 %}## ${w.rituals}

${heads(w.ritual, w.next, w.runs, w.succeeded, w.failed)}
${rows('ritual', 'rituals', '{{ ritual.name }}', '{{ ritual.next_run_at | date: "%Y-%m-%d %H:%M", timezone }}', '{{ ritual.runs.total }}', '{{ ritual.runs.succeeded }}', '{{ ritual.runs.failed }}')}
{% endif %}`;

const endeavour = (w: ReportWords): string => `# {{ endeavour.name }}

${asOf(w)}
**${w.status}:** ${worded('endeavour.status', w.statuses)}{% if endeavour.start_date or endeavour.end_date %} · **${w.period}:** ${day('endeavour.start_date')} – ${day('endeavour.end_date')}{% endif %}
${description('endeavour', w)}
## ${w.overview}

${heads('', w.total, w.statuses.planned, w.statuses.active, w.statuses.done, w.statuses.canceled)}
${row(w.tasks, ...['total', 'planned', 'active', 'done', 'canceled'].map((status) => count(`counts.tasks.${status}`)))}

${heads('', w.total, w.statuses.open, w.statuses.in_progress, w.statuses.fulfilled, w.statuses.canceled)}
${row(w.demands, ...['total', 'open', 'in_progress', 'fulfilled', 'canceled'].map((status) => count(`counts.demands.${status}`)))}

{% if goals.size > 0 %}## ${w.goals}

{% for goal in goals -%}
- {{ goal.title }} (${worded('goal.status', w.statuses)})
{% endfor %}
{% endif %}${attention(w)}
${endeavourDod(w)}
${contributors(w)}## ${w.trend}

${heads(w.day, w.created, w.done)}
${rows('entry', 'trend', '{{ entry.day }}', '{{ entry.created }}', '{{ entry.done }}')}
{% assign open_demands = demands | where_exp: "demand", "demand.fulfilled_at == nil and demand.canceled_at == nil" %}{% if open_demands.size > 0 %}## ${w.openDemands}

${heads(w.demand, w.type, w.priority, w.status, w.due)}
${rows('demand', 'open_demands', '{{ demand.title }}', '{{ demand.type }}', worded('demand.priority', w.priorities), worded('demand.status', w.statuses), dueDay('demand', w, isOpenDemand))}{% assign all_open = counts.demands.open | plus: counts.demands.in_progress %}${shown('open_demands', 'all_open', w)}
{% endif %}${rituals(w)}`;

const organization = (w: ReportWords): string => `# {{ organization.name }}

${asOf(w)}
**${w.status}:** ${worded('organization.status', w.statuses)} · **${w.members}:** {{ organization.member_count }} · **${w.endeavours}:** {{ organization.endeavour_count }}
${description('organization', w)}
## ${w.endeavours}

{% if endeavours.size > 0 %}${heads(w.endeavour, w.status, w.statuses.planned, w.statuses.active, w.statuses.done, w.period)}
${rows(
  'endeavour',
  'endeavours',
  '{{ endeavour.name }}',
  worded('endeavour.status', w.statuses),
  '{{ endeavour.progress.planned }}',
  '{{ endeavour.progress.active }}',
  '{{ endeavour.progress.done }}',
  `${day('endeavour.start_date', 'endeavour.timezone')} – ${day('endeavour.end_date', 'endeavour.timezone')}`,
)}${shown('endeavours', 'endeavour_total', w)}{% else %}${w.none}
{% endif %}`;

/** The built-in report of each scope in one language. */
export const REPORT_BODIES: Record<Scope, (words: ReportWords) => string> = { task, demand, endeavour, organization };
