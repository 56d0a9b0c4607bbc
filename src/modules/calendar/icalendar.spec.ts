import { calendarText, type CalendarEvent } from './icalendar.js';

const EVENT: CalendarEvent = {
  uid: 'tsk_1@worksmith',
  title: 'Paint the gate',
  description: 'Task',
  category: 'task',
  changedAt: new Date('2026-11-20T10:00:00.123Z'),
  sequence: 2,
  at: new Date('2026-12-01T08:30:00Z'),
};

const linesOf = (event: Partial<CalendarEvent>): string[] =>
  calendarText({ name: 'Garden', timezone: 'Europe/Berlin' }, [{ ...EVENT, ...event }]).split('\r\n');

describe('a calendar as text', () => {
  it('has its name, and an event with the fields of each entry', () => {
    expect(linesOf({})).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Worksmith//Calendar//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'NAME:Garden',
      'X-WR-CALNAME:Garden',
      'X-WR-TIMEZONE:Europe/Berlin',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VEVENT',
      'UID:tsk_1@worksmith',
      'DTSTAMP:20261120T100000Z',
      'SEQUENCE:2',
      'DTSTART:20261201T083000Z',
      'SUMMARY:Paint the gate',
      'DESCRIPTION:Task',
      'CATEGORIES:task',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('represents whole days as dates', () => {
    expect(linesOf({ at: '2026-12-01' })).toContain('DTSTART;VALUE=DATE:20261201');
  });

  it('escapes special characters, and drops control characters', () => {
    const [summary] = linesOf({ title: 'a,b;c\\d\r\nEND:VEVENT\u2028e\u0007f\tg: "h"' }).filter((line) =>
      line.startsWith('SUMM'),
    );
    expect(summary).toBe('SUMMARY:a\\,b\\;c\\\\d\\nEND:VEVENT\\nef\tg: "h"');
  });

  it.each(['x'.repeat(500), 'ü'.repeat(300), '👩‍🌾'.repeat(60), `${'y'.repeat(66)}ö${'z'.repeat(80)}`])(
    'folds lines after at most 75 bytes, between characters: %s',
    (title) => {
      const text = linesOf({ title }).join('\r\n');
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(text).not.toContain('\uFFFD');
      expect(text.replaceAll('\r\n ', '')).toContain(`\r\nSUMMARY:${title}\r\n`);
    },
  );

  it('is valid without events', () => {
    expect(calendarText({ name: 'Garden', timezone: 'UTC' }, [])).not.toContain('VEVENT');
  });
});
