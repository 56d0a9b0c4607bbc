import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type Level, type Logger, type LoggerOptions } from 'pino';
import { forTerminal } from './terminal-lines.js';

// Unlike `instanceof`, also recognizes the errors that Node creates in a `vm` context, as in tests.
const { isNativeError } = types;

/** Nest's start-up messages, which are only needed for debugging. */
const FRAMEWORK = ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication'];

/** Lines are written in batches, because a system call per line would cost as much as the line itself. */
const BATCH_BYTES = 8_192;
/** With the line that completes it, such a batch is mostly short enough not to be mixed with that of another process. */
const SHARED_BATCH_BYTES = 2_048;
const FLUSH_MS = 200;

interface LogOptions {
  isTerminal?: boolean;
  /** The number of this process among those that write to the same output, for each line. */
  worker?: number;
}

/**
 * Writes to standard output, from `level` upwards; `silent` writes nothing. On a terminal, lines are readable and
 * written immediately. Otherwise they are JSON objects, written in batches with a short delay; fatal lines, and those
 * at the end of the process, are written immediately.
 */
export function makeLog(level: string, { isTerminal = false, worker }: LogOptions = {}): Logger {
  if (level === 'silent') return pino({ level });
  const options: LoggerOptions = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  };
  if (isTerminal) return pino(options, { write: (line) => void process.stdout.write(forTerminal(line)) });
  const output = destination({
    dest: 1,
    sync: true,
    minLength: worker === undefined ? BATCH_BYTES : SHARED_BATCH_BYTES,
    periodicFlush: FLUSH_MS,
  });
  process.once('exit', () => output.flushSync());
  return pino(options, output);
}

/** The details of an error for debugging, without the parameters of a statement, which are client data. */
function describeError(error: unknown): object {
  if (!isNativeError(error)) return { message: String(error) };
  const { query, code, constraint } = error as { query?: string; code?: string; constraint?: string };
  return { type: error.constructor.name, message: error.message, code, constraint, query, stack: error.stack };
}

/** Nest logs this error before `listen` reports it with a remedy. */
const NOT_LISTENING = /^Error: (?:listen|bind) E/;

/** Redirects Nest's logger to the log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(FRAMEWORK.includes(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(NOT_LISTENING.test(String(message)) ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the context name; before it there can be an error, or its stack as text. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? String(rest.pop()) : undefined;
    const err = [message, ...rest].find(isNativeError);
    const stack = rest.find((item) => typeof item === 'string');
    if (hasFields(message)) return this.target[level]({ context, ...message });
    this.target[level]({ context, err, stack }, isNativeError(message) ? message.message : String(message));
  }
}

/** Whether the message is an object of log fields, including `msg`. */
const hasFields = (message: unknown): message is object =>
  typeof message === 'object' && message !== null && !isNativeError(message) && 'msg' in message;
