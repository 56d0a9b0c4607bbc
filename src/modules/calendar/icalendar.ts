/** A calendar entry: a whole day, or an instant. */
export interface CalendarEvent {
  uid: string;
  title: string;
  description: string;
  category: string;
  /** The time of the last change. */
  changedAt: Date;
  /** The number of changes. */
  sequence: number;
  /** A date as YYYY-MM-DD, or an instant. */
  at: string | Date;
}

const LONGEST_LINE = 75;

/** A text as a value (RFC 5545, 3.3.11). Control characters other than tab cannot be written. */
const textValue = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', String.raw`\n`);

const dateValue = (date: string): string => date.replaceAll('-', '');

const momentValue = (moment: Date): string => moment.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** A line in pieces of at most 75 bytes, none of which ends within a character (3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    // A continuation line begins with a space.
    if (bytes + size > LONGEST_LINE) {
      pieces.push(piece);
      [piece, bytes] = [' ', 1];
    }
    piece += character;
    bytes += size;
  }
  return [...pieces, piece].join('\r\n');
}

function eventLines({ uid, title, description, category, changedAt, sequence, at }: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${momentValue(changedAt)}`,
    `SEQUENCE:${sequence}`,
    typeof at === 'string' ? `DTSTART;VALUE=DATE:${dateValue(at)}` : `DTSTART:${momentValue(at)}`,
    `SUMMARY:${textValue(title)}`,
    `DESCRIPTION:${textValue(description)}`,
    `CATEGORIES:${textValue(category)}`,
    // A due date does not block time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** A calendar that clients can subscribe to (RFC 5545; its name by RFC 7986 and as older clients read it). */
export function calendarText(
  { name, timezone }: { name: string; timezone: string },
  events: readonly CalendarEvent[],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Worksmith//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${textValue(name)}`,
    `X-WR-CALNAME:${textValue(name)}`,
    `X-WR-TIMEZONE:${timezone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
