const ON = /^(?:true|on|yes)$/i;
const OFF = /^(?:false|off|no|0)$/i;

/**
 * Replaces settings by those that have their meaning now, and returns contradictions. WORKERS was the switch of
 * BACKGROUND_JOBS before it became a number of processes; its former values are none of today, except for 1, which means
 * what it did: one process with background jobs.
 */
export function replaceFormerSettings(values: Record<string, string | undefined>): string[] {
  const { WORKERS: former, BACKGROUND_JOBS: present } = values;
  if (former === undefined || !(ON.test(former) || OFF.test(former))) return [];
  delete values.WORKERS;
  values.BACKGROUND_JOBS ??= former;
  if (present === undefined || OFF.test(present) === OFF.test(former)) return [];
  return [
    `WORKERS=${former} means BACKGROUND_JOBS=${former}, which is ${present}; WORKERS is a number of processes now`,
  ];
}
