import type { DataSource } from 'typeorm';
import { connectUntil } from './data-source.js';

const UNREACHABLE = Object.assign(new Error('Connection terminated due to connection timeout'), { code: undefined });

/** A factory of data sources that fail to connect with these errors, one after the other, and then connect. */
function sources(failures: Error[]): { source: DataSource; make: () => DataSource } {
  const source = {} as DataSource;
  const make = () => {
    const failure = failures.shift();
    return {
      initialize: () => (failure === undefined ? Promise.resolve(source) : Promise.reject(failure)),
    } as DataSource;
  };
  return { source, make };
}

describe('connectUntil', () => {
  it('retries if connecting takes too long', async () => {
    const { source, make } = sources([UNREACHABLE]);
    const reported: unknown[] = [];
    expect(await connectUntil(Date.now() + 60_000, make, (error) => reported.push(error))).toBe(source);
    expect(reported).toEqual([UNREACHABLE]);
  });

  it('gives up at the deadline', async () => {
    const { make } = sources([UNREACHABLE]);
    await expect(connectUntil(Date.now(), make)).rejects.toBe(UNREACHABLE);
  });

  it('does not retry after a wrong password', async () => {
    const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    const { make } = sources([refused]);
    await expect(connectUntil(Date.now() + 60_000, make)).rejects.toBe(refused);
  });
});
