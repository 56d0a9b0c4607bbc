import { TASK_STATUSES } from '../../../common/statuses.js';
import { demandLifecycle } from '../../demands/demand.lifecycle.js';
import { MAX_WORK, STALE_DAYS, TREND_DAYS } from './work-report.view.js';

/** The documentation of the variables for authors of templates. */
export const VARIABLES = `All scopes: \`timezone\` (of the endeavour, for \`| date: "%Y-%m-%d", timezone\`), \`generated_at\`, \`lang\`.
- task: \`task\`, \`blocked_by\` (id, key, title and status of the open tasks that it depends on, at most 10), \`dod\` (policy with id, name and version, or null; is_met; conditions with label, required, status, detail)
- demand: \`demand\`, \`tasks\` (at most ${MAX_WORK})
- endeavour: \`endeavour\`, \`goals\`, \`counts.tasks\` (total, ${TASK_STATUSES.join(', ')}, overdue, stale, unassigned), \`stages\` (id, name, status, wip_limit and number of tasks of each), \`blocked_total\`, \`counts.demands\` (total, ${demandLifecycle.statuses.join(', ')}), \`demands\` and \`tasks\` (at most ${MAX_WORK} each), \`overdue_tasks\`, \`stale_tasks\` (open, unchanged for ${STALE_DAYS} days) and \`blocked_tasks\` (each with \`blocked_by\`; at most 100 of each), \`review_tasks\` (active tasks that need only approvals: id, key, title, started_at, waits_for; at most 100), \`dod\` (policy; the numbers of active tasks as met, not_met, overridden and waiting; truncated if there are more than 1,000), \`contributors\` (resource_id, name, tasks, ${TASK_STATUSES.join(', ')}, hours), \`trend\` (the last ${TREND_DAYS} days: day, created, done), \`rituals\` (each with \`runs\`: total, running, succeeded, failed, skipped)
- organization: \`organization\`, \`endeavours\` (at most 200, without archived ones), \`endeavour_total\`
- ritual: \`ritual\`, \`runs\` (the newest 50), \`run_counts\` (total, running, succeeded, failed, skipped)

Entities have the properties of their representations in the API. Output is escaped so that it can be used in a cell of a Markdown table; \`| raw\` disables this. \`| number: lang\` formats numbers, such as 13338 as 13,338 in English. Raw HTML and links other than http and https are rendered as text. Includes and files are not available. Lists end before entries that exceed 2 MiB together. Rendering is limited to 2 seconds and 1 MiB of output, a page to 4 MiB.`;
