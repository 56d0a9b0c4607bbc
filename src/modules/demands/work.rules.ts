import { conflict, invalidField, invalidInput } from '../../common/errors.js';
import { newDateOf, storedDateOf } from '../../common/stored-date.js';
import { showsText } from '../../common/texts/text.js';
import { parseDay, wallTimeAt } from '../../common/time.js';

/** The roles of the caller that decide about work. */
interface WorkRoles {
  /** The caller's rank in the endeavour, 1 (viewer) to 4 (owner). */
  rank: number;
  /** The ids of the caller's own resource and teams. */
  mine: readonly string[];
}

/** The people responsible for a demand or task. */
interface ResponsiblePeople {
  ownerId: string;
  creatorId: string;
}

/** Whether the caller may change the owner. */
export function maySetOwner({ ownerId, creatorId }: ResponsiblePeople, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || mine.includes(ownerId) || mine.includes(creatorId);
}

/** Whether the caller may end the work: cancel a task, cancel or fulfil a demand. */
export function mayEnd({ ownerId, creatorId }: ResponsiblePeople, { rank, mine }: WorkRoles): boolean {
  return rank >= 3 || [ownerId, creatorId].some((id) => mine.includes(id));
}

/** Requires a reason for canceled work, and rejects one for other work. */
export function assertCancelReason(status: string, current: string | null, requested: string | null | undefined): void {
  if (status !== 'canceled') {
    if (typeof requested === 'string') {
      throw invalidField(
        'canceled_reason',
        'invalid_value',
        'canceled_reason can be set only together with status canceled.',
      );
    }
    return;
  }
  const reason = requested === undefined ? current : requested;
  if (reason === null || !showsText(reason)) {
    throw invalidField('canceled_reason', 'required', 'Set canceled_reason to say why it is canceled.');
  }
}

/** Rejects the reopening of work in a completed endeavour. */
export function assertNotReopened(containerStatus: string | null, isReopened: boolean): void {
  if (containerStatus === 'completed' && isReopened) {
    throw conflict('completed', 'The endeavour is completed; reopen it first.');
  }
}

/** The due date of a demand or task: a day with the instant at its end, or an instant. */
interface DueDate {
  dueDay: string | null;
  dueDate: Date | null;
}

interface SentDueDate {
  due_date?: string | null;
  due_day?: string | null;
}

const DUE = { names: { date: 'due_date', day: 'due_day' }, edge: 'end' } as const;

/** The first day of work, and when it is due. */
interface WorkDates extends Partial<DueDate> {
  startDate?: string | null;
}

/** The dates after a patch; empty if it changes none of them, so that what is stored is not judged again. */
export function datesAfter(
  { startDate, dueDay, dueDate }: WorkDates,
  sentStart: string | null | undefined,
  due: Partial<DueDate>,
): WorkDates {
  const start = sentStart === undefined ? startDate : sentStart;
  if (start === startDate && Object.keys(due).length === 0) return {};
  return { startDate: start, dueDay, dueDate, ...due };
}

/**
 * Rejects work that starts after it is due (spec/14), naming both dates. An instant is due on its day in the time zone of
 * the endeavour.
 */
export async function assertStartsInTime(
  { startDate, dueDay, dueDate }: WorkDates,
  timezone: () => Promise<string>,
): Promise<void> {
  if (typeof startDate !== 'string' || (!dueDay && !dueDate)) return;
  const lastDay = dueDay ?? (dueDate && dayIn(await timezone(), dueDate));
  if (!lastDay || startDate <= lastDay) return;
  throw invalidInput([
    { field: 'start_date', code: 'out_of_range', message: 'start_date must not be after the day of due_date.' },
    { field: 'due_date', code: 'out_of_range', message: 'due_date must not be before start_date.' },
  ]);
}

const dayIn = (timezone: string, instant: Date): string =>
  new Date(wallTimeAt(instant.getTime(), timezone)).toISOString().slice(0, 10);

/** The due date of new work; the database derives the instant of a day. */
export async function newDueDate(sent: SentDueDate, timezone: () => Promise<string>): Promise<DueDate> {
  const { day, instant } = await newDateOf({ date: sent.due_date, day: sent.due_day }, { ...DUE, timezone });
  return { dueDay: day, dueDate: instant };
}

/** The due date that a patch sets; empty if it does not change it. */
export async function changedDueDate(
  sent: SentDueDate,
  { dueDay, dueDate }: DueDate,
  timezone: () => Promise<string>,
): Promise<Partial<DueDate>> {
  const current = { day: dueDay, instant: dueDate };
  const stored = await storedDateOf({ date: sent.due_date, day: sent.due_day }, { ...DUE, current, timezone });
  return stored === undefined ? {} : { dueDay: stored.day, dueDate: stored.instant };
}

/** The due date of imported work; the database derives the instant of a day, and the day decides if both are given. */
export function dueDateOfImport({ due_date, due_day }: SentDueDate): DueDate {
  const day = due_day ?? due_date;
  if (typeof day === 'string' && parseDay(day) !== undefined) return { dueDay: day, dueDate: null };
  return { dueDay: null, dueDate: typeof due_date === 'string' ? new Date(due_date) : null };
}
