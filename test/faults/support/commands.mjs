import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment, nodeArguments } from './programs.mjs';

/** Runs `npm run migrate` of a built release on a database; returns its exit code and its output. */
export async function migrate(databaseUrl, release, ...flags) {
  const env = { ...cleanEnvironment(), DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [...nodeArguments('migrate', release), ...flags], { env, cwd: release });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const [code] = await once(child, 'close');
  return { code, output };
}
