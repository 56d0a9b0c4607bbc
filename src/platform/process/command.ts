import { existsSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from '../../common/start-error.js';
import { explain } from './explain.js';

/** What was typed behind the name of a command. */
export interface Given {
  words: string[];
  flags: Record<string, string | boolean | undefined>;
}

/** A command line program: what it takes, and what it does. */
export interface Command {
  /** Shown for `--help`, and where the words are wrong. */
  usage: string;
  options?: NonNullable<ParseArgsConfig['options']>;
  /** The lines to print in the end. {@link UsageError} says that the words make no sense. */
  run(given: Given): Promise<string[]>;
}

/** The words of a command make no sense; nothing was done. */
export class UsageError extends StartError {}

/** Runs a command. Exit code 0: done, or help was shown; 1: it failed, and said why; 2: wrong words, nothing was done. */
export async function runCommand(command: Command, args = process.argv.slice(2)): Promise<void> {
  try {
    const { help, ...given } = parse(command, args);
    const lines = help ? [command.usage] : await run(command, given);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${explain(error)}\n${isUsage ? `\n${command.usage}\n` : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

function run(command: Command, given: Given): Promise<string[]> {
  loadEnvironmentFile();
  return command.run(given);
}

/** Lines of `.env` become variables of the environment, which win where they are set. */
export function loadEnvironmentFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    throw new StartError(`The file .env cannot be read (${String(error)}). Each line must have the form NAME=value.`);
  }
}

function parse({ options = {} }: Command, args: string[]): Given & { help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h', default: false } },
    });
    const { help, ...flags } = values;
    const isAsked = help || positionals[0] === 'help';
    return { help: isAsked, words: positionals, flags };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}
