/** A calendar entry for a whole day or a point in time. */
export interface CalendarEvent {
  uid: string;
  title: string;
  description: string;
  category: string;
  /** The time of the last change. */
  changedAt: Date;
  /** The number of changes. */
  sequence: number;
  /** A date as YYYY-MM-DD, or a point in time. */
  at: string | Date;
}

const MAX_LINE_BYTES = 75;

/** Escapes text as a value (RFC 5545, 3.3.11). Removes control characters other than tab, which values cannot have. */
const textValue = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', String.raw`\n`);

const dateValue = (date: string): string => date.replaceAll('-', '');

const timeValue = (time: Date): string => time.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** Folds a line into pieces of at most 75 bytes, without splitting a character (RFC 5545, 3.1). */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    // A continuation line begins with a space.
    if (bytes + size > MAX_LINE_BYTES) {
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
    `DTSTAMP:${timeValue(changedAt)}`,
    `SEQUENCE:${sequence}`,
    typeof at === 'string' ? `DTSTART;VALUE=DATE:${dateValue(at)}` : `DTSTART:${timeValue(at)}`,
    `SUMMARY:${textValue(title)}`,
    `DESCRIPTION:${textValue(description)}`,
    `CATEGORIES:${textValue(category)}`,
    // A due date does not block time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Renders a calendar (RFC 5545). Its name is in the property of RFC 7986 and in the one that older clients read. */
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
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
