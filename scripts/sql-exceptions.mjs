/** Exceptions from the SQL rules (sql-placement.mjs). Both lists may only shrink: an unused entry fails the check. */

/** Files whose statements are not in a repository, view or list yet. */
export const unmoved = [];

/** By feature, the tables of other features that its statements name. */
export const foreignTables = {
  dod: ['artifacts', 'relations', 'task_statuses', 'tasks'],
  privacy: ['notifications'],
  notifications: ['awaited_verdicts', 'feed', 'feed_audience', 'tasks'],
  relations: ['tasks'],
  tasks: ['resources', 'team_memberships'],
  templates: ['endeavours', 'tasks'],
  work: ['approvals', 'message_deliveries', 'messages', 'quorum_votes', 'ritual_runs', 'rituals', 'tasks'],
};
