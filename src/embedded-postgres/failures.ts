import { StartError } from '../common/start-error.js';

const NO_SPACE = /No space left on device|ENOSPC|Disk quota exceeded/;

/** The error output of PostgreSQL as a sentence for the operator. */
export function serverFailure(what: string, said: string, directory: string): StartError {
  if (NO_SPACE.test(said)) return diskFull(directory);
  const lines = said.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.findLast((line) => line !== '');
  return new StartError(`${what} ${directory}: ${reason ?? 'no error message'}`);
}

export const diskFull = (directory: string): StartError =>
  new StartError(
    `The disk of DATA_DIR ${directory} is full. Free some space, or use a folder on another disk: ` +
      'DATA_DIR=<folder> npm start',
  );
