import { StartError } from '../common/start-error.js';

const NO_SPACE = /No space left on device|ENOSPC|Disk quota exceeded/;

/** The error for the operator, with the reason from the error output of PostgreSQL. */
export function serverFailure(what: string, output: string, directory: string): StartError {
  if (NO_SPACE.test(output)) return diskFull(directory);
  const lines = output.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.findLast((line) => line !== '');
  return new StartError(`${what} ${directory}: ${reason ?? 'no error message'}`);
}

export const diskFull = (directory: string): StartError =>
  new StartError(
    `The disk of DATA_DIR ${directory} is full. Free some space, or use a folder on another disk: ` +
      'DATA_DIR=<folder> npm start',
  );
