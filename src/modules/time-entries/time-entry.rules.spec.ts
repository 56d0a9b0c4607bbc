import type { TimedTask } from '../tasks/imports/logged-time.service.js';
import { initialTimeOf } from './time-entry.rules.js';

const NOW = new Date('2026-11-20T22:30:00Z');
const task = (row: object): TimedTask =>
  ({ row: { actual: null, assigneeId: null, ownerId: 'owner', startedAt: null, ...row } }) as TimedTask;

describe('the first time entry of a task', () => {
  it.each([
    ['the hours of the owner today', { actual: 1.5 }, { minutes: 90, resourceId: 'owner', day: '2026-11-20' }],
    [
      'those of the assignee on the day of the start',
      { actual: 0.33, assigneeId: 'assignee', startedAt: new Date('2026-11-02T12:00:00Z') },
      { minutes: 20, resourceId: 'assignee', day: '2026-11-02' },
    ],
    ['nothing without hours', {}, undefined],
    ['nothing for less than half a minute', { actual: 0.008 }, undefined],
    ['nothing behind other entries', { actual: 1.5, loggedMinutes: 90 }, undefined],
  ])('takes over %s', (_, row, expected) => {
    expect(initialTimeOf(task(row), 'UTC', NOW)).toEqual(expected);
  });

  it('is dated in the time zone of the endeavour', () => {
    expect(initialTimeOf(task({ actual: 1 }), 'Europe/Berlin', NOW)).toMatchObject({ day: '2026-11-20' });
    expect(initialTimeOf(task({ actual: 1 }), 'Asia/Tokyo', NOW)).toMatchObject({ day: '2026-11-21' });
  });

  it('takes over no more than it can hold', () => {
    expect(initialTimeOf(task({ actual: 1_666_666 }), 'UTC', NOW)?.minutes).toBe(99_999_960);
    expect(() => initialTimeOf(task({ actual: 1_666_667 }), 'UTC', NOW)).toThrow('too many');
  });
});
