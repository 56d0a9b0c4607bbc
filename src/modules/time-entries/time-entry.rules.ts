import { conflict } from '../../common/errors.js';
import { wallTimeAt } from '../../common/time.js';
import type { HoursOfTask } from '../tasks/imports/logged-time.service.js';

/** A day. */
export const MOST_MINUTES = 1_440;

export const MOST_PER_TASK = 10_000;

/** The most minutes that the first entry of a task can take over from its `actual`. */
export const MOST_INITIAL = 100_000_000;

/** Hours have four decimals, as the trigger rounds them. */
export const hoursOf = (minutes: number): number => Math.round((minutes / 60) * 10_000) / 10_000;

/** What the first entry of a task takes over from it. */
interface InitialTime {
  minutes: number;
  resourceId: string;
  day: string;
}

/**
 * The hours that were entered for a task before its first time entry, in whole minutes: the time of its assignee, or else
 * of its owner, on the day on which the work began. Undefined if there are none.
 */
export function initialTimeOf({ row }: { row: HoursOfTask }, timezone: string, now: Date): InitialTime | undefined {
  const { loggedMinutes = null, actual, assigneeId, ownerId, startedAt } = row;
  const minutes = loggedMinutes === null ? Math.round((actual ?? 0) * 60) : 0;
  if (minutes === 0) return undefined;
  if (minutes > MOST_INITIAL) {
    throw conflict('too_large', 'The actual hours of the task are too many for a time entry; correct them first.');
  }
  const day = new Date(wallTimeAt((startedAt ?? now).getTime(), timezone)).toISOString().slice(0, 10);
  return { minutes, resourceId: assigneeId ?? ownerId, day };
}

/** What an entry is called in lists of changes. */
export const entryTitle = (minutes: number): string => `${minutes} minutes`;
