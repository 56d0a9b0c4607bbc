/** A log line as pino writes it. */
interface Line {
  time: string;
  level: string;
  msg?: string;
  context?: string;
  err?: { message: string; stack?: string };
  method?: string;
  route?: string;
  path?: string;
  status?: number;
  ms?: number;
  code?: string;
  cause?: string;
}

/** A readable log line: the local time, the message, and the level unless it is normal. */
export function forTerminal(json: string): string {
  const line = JSON.parse(json) as Line;
  const time = new Date(line.time).toTimeString().slice(0, 8);
  const level = ['info', 'debug', 'trace'].includes(line.level) ? '' : `${line.level.toUpperCase()} `;
  const what = line.method === undefined ? messageOf(line) : requestOf(line);
  return `${time} ${level}${what}\n`;
}

function messageOf({ msg = '', context, err, level }: Line): string {
  const subject = context === undefined ? '' : `${context}: `;
  if (err === undefined) return `${subject}${msg}`;
  const detail = level === 'fatal' || level === 'error' ? (err.stack ?? err.message) : err.message;
  return detail.includes(msg) ? `${subject}${detail}` : `${subject}${msg}: ${detail}`;
}

function requestOf({ method, route, path, status, ms, code, cause, err }: Line): string {
  const failure = [code, cause].filter((text) => text !== undefined).join(', ');
  const detail = err === undefined ? '' : `\n${err.stack ?? err.message}`;
  return `${method} ${route ?? path ?? ''} ${status} ${ms} ms${failure === '' ? '' : ` (${failure})`}${detail}`;
}
