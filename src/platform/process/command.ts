import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, parseEnv, type ParseArgsConfig } from 'node:util';
import { StartError } from '../../common/start-error.js';
import { explain } from './explain.js';

/** The parsed arguments of a command. */
export interface CommandArguments {
  positionals: string[];
  flags: Record<string, string | boolean | undefined>;
}

/** A command of the command line. */
export interface Command {
  /** Printed for `--help`, and after a {@link UsageError}. */
  usage: string;
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Returns the lines to print; throws a {@link UsageError} for invalid arguments. */
  run(args: CommandArguments): Promise<string[]>;
}

/** The arguments of a command are invalid; nothing was done. */
export class UsageError extends StartError {}

/**
 * Runs a command. The exit code is 0 on success and for `--help`, 1 after an error, and 2 for invalid arguments, with
 * which nothing was done.
 */
export async function runCommand(command: Command, argv = process.argv.slice(2)): Promise<void> {
  try {
    const { help, ...args } = parse(command, argv);
    const lines = help ? [command.usage] : await run(command, args);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${explain(error)}\n${isUsage ? `\n${command.usage}\n` : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

function run(command: Command, args: CommandArguments): Promise<string[]> {
  loadEnvironmentFile();
  return command.run(args);
}

/** The environment as the start would read it now: `.env` may have changed, what was set otherwise has not. */
export function currentEnvironment(original: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))), ...original };
}

/** Loads `.env` into the environment; variables that are already set take precedence. */
export function loadEnvironmentFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    throw new StartError(`The file .env cannot be read (${String(error)}). Each line must have the form NAME=value.`);
  }
}

function parse({ options = {} }: Command, argv: string[]): CommandArguments & { help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h', default: false } },
    });
    const { help, ...flags } = values;
    return { help: help || positionals[0] === 'help', positionals, flags };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}
