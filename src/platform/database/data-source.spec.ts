import type { DataSource } from 'typeorm';
import { connectUntil } from './data-source.js';

const UNREACHABLE = Object.assign(new Error('Connection terminated due to connection timeout'), { code: undefined });

/** Sources that fail to connect with these errors, one after the other, and then connect. */
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
  it('connects again where a busy machine took too long to answer', async () => {
    const { source, make } = sources([UNREACHABLE]);
    const told: unknown[] = [];
    expect(await connectUntil(Date.now() + 60_000, make, (error) => told.push(error))).toBe(source);
    expect(told).toEqual([UNREACHABLE]);
  });

  it('gives up when the time is over', async () => {
    const { make } = sources([UNREACHABLE]);
    await expect(connectUntil(Date.now(), make)).rejects.toBe(UNREACHABLE);
  });

  it('does not try again what a wrong password prevents', async () => {
    const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    const { make } = sources([refused]);
    await expect(connectUntil(Date.now() + 60_000, make)).rejects.toBe(refused);
  });
});
