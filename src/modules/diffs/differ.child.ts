import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { serveJobs } from '../../platform/process/child-pool.js';
import type { DiffJob } from './differ.js';

/** The format of `diff -u`, which `patch` reads. */
const FORMAT = { context: 3, headerOptions: FILE_HEADERS_ONLY };

function diff({ texts, limitMs }: DiffJob): (string | null)[] {
  const end = performance.now() + limitMs;
  return texts.map(({ name, from, to }) => {
    const timeout = end - performance.now();
    if (timeout <= 0) return null;
    return createTwoFilesPatch(name, name, from, to, undefined, undefined, { ...FORMAT, timeout }) ?? null;
  });
}

serveJobs(diff);
