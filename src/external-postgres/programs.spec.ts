import { runProgram } from './programs.js';

const failingWith = (message: string): Promise<void> =>
  runProgram('/bin/sh', ['-c', `echo '${message}' >&2; exit 1`], {});

describe('a program of PostgreSQL that fails', () => {
  it('is reported with its last messages', async () => {
    await expect(failingWith('disk full')).rejects.toThrow('/bin/sh failed (exit code 1):\ndisk full');
    await expect(failingWith('disk full')).rejects.not.toThrow('DATABASE_OWNER_URL');
  });

  it('names the role that is needed if rights are missing', async () => {
    await expect(failingWith('permission denied for schema partitions')).rejects.toThrow('Set DATABASE_OWNER_URL');
  });
});
