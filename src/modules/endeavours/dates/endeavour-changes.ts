import { invalidField } from '../../../common/errors.js';
import { storedDateOf } from '../../../common/stored-date.js';
import { mergeExternalRef } from '../../../platform/http/bodies/fields.js';
import { mergedChanges } from '../../../platform/http/bodies/metadata.js';
import type { UpdateEndeavourDto } from '../endeavour.dto.js';
import type { Endeavour } from '../endeavour.entity.js';
import { completeGoal, type Goal } from '../goals/goals.js';

/** The columns that a patch sets, except those of the status. */
export async function endeavourChanges(
  row: Endeavour,
  dto: UpdateEndeavourDto,
  { hidden, stages, declared }: { hidden: readonly Goal[]; stages: Endeavour['stages']; declared: Endeavour['fields'] },
): Promise<Partial<Endeavour>> {
  const {
    goals,
    stages: _stages,
    fields: _fields,
    start_date,
    start_day,
    end_date,
    end_day,
    external_ref,
    status: _status,
    ...others
  } = dto;
  return {
    ...mergedChanges(row, others),
    stages,
    fields: declared,
    externalRef: mergeExternalRef(row.externalRef ?? null, external_ref),
    ...(goals !== undefined && { goals: (goals ?? []).map((goal) => completeGoal(goal, hidden)) }),
    ...(await datesOf({ start_date, start_day, end_date, end_day }, dto.timezone ?? row.timezone, row)),
  };
}

type SentDates = { [name in `${'start' | 'end'}_${'date' | 'day'}`]?: string | null };
type StoredDates = Pick<Endeavour, 'startDate' | 'startDay' | 'endDate' | 'endDay'>;

const NO_DATES: StoredDates = { startDate: null, startDay: null, endDate: null, endDay: null };

/** The dates that a request sets, with the instants of days in the time zone; the database derives the same. */
export async function datesOf(sent: SentDates, timezone: string, current = NO_DATES): Promise<Partial<StoredDates>> {
  const dates: Partial<StoredDates> = {};
  for (const edge of ['start', 'end'] as const) {
    const stored = await storedDateOf(
      { date: sent[`${edge}_date`], day: sent[`${edge}_day`] },
      {
        names: { date: `${edge}_date`, day: `${edge}_day` },
        edge,
        timezone: () => Promise.resolve(timezone),
        current: { day: current[`${edge}Day`], instant: current[`${edge}Date`] },
      },
    );
    if (stored !== undefined) Object.assign(dates, { [`${edge}Day`]: stored.day, [`${edge}Date`]: stored.instant });
  }
  return dates;
}

/** Rejects an end before the start. */
export function assertDateOrder({ startDate, endDate }: Partial<Endeavour>): void {
  if (startDate && endDate && endDate < startDate) {
    throw invalidField('end_date', 'out_of_range', 'end_date must not be before start_date.');
  }
}
