import { hostname } from 'node:os';
import type { SealedEntry } from './audit-sink.js';

/** Facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
const MAX_HOST_LENGTH = 255;

/** The name of this machine in the characters that the header of a message may have. */
const host = hostname()
  .replaceAll(/[^\u0021-\u007e]/g, '-')
  .slice(0, MAX_HOST_LENGTH);

/**
 * An entry as a message of RFC 5424 whose text is JSON, with its length before it (RFC 5425, 6587). Other characters than
 * those of ASCII are escaped, because receivers differ in what they make of a byte order mark, which would be required.
 */
export function syslogFrame({ occurredAt, action, line }: SealedEntry): string {
  const text = line.replaceAll(/[\u0080-\uffff]/g, escaped);
  const message = `<${PRIORITY}>1 ${occurredAt.toISOString()} ${host} worksmith ${process.pid} ${action} - ${text}`;
  return `${message.length} ${message}`;
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
