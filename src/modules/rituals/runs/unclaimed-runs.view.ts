/** SQL for `FROM`: the ritual runs in progress that nobody has claimed, joined to their rituals. */
export const unclaimedRuns = (run: string, ritual: string): string =>
  `ritual_runs ${run} JOIN rituals ${ritual} ON ${ritual}.id = ${run}.ritual_id
     AND ${run}.status = 'running' AND ${run}.run_by IS NULL`;
