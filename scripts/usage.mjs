/** Prints the usage and ends the process: with 0 if it was asked for, with 2 and the reason if an argument is wrong. */
export function exitWithUsage(usage, reason) {
  if (reason === undefined) process.stdout.write(`${usage}\n`);
  else process.stderr.write(`${reason}\n\n${usage}\n`);
  process.exit(reason === undefined ? 0 : 2);
}

export const isHelp = (words) => words.some((word) => ['--help', '-h', 'help'].includes(word));
