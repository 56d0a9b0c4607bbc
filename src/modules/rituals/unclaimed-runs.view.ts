/** SQL for `FROM`: the running rituals that nobody has claimed, each as the run and its ritual. */
export const unclaimedRuns = (run: string, ritual: string): string =>
  `ritual_runs ${run} JOIN rituals ${ritual} ON ${ritual}.id = ${run}.ritual_id
     AND ${run}.status = 'running' AND ${run}.run_by IS NULL`;
