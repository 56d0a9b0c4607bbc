import { waitSeconds } from './prefer.js';

describe('Prefer: wait', () => {
  it.each([
    ['wait=20', 20],
    ['wait=5', 5],
    ['respond-async, wait=10', 10],
    ['WAIT = "7"', 7],
    ['handling=lenient; wait=3', 3],
    ['wait=9999', 20],
    ['wait=-1', 0],
    ['wait=soon', 0],
    ['await=5', 0],
    ['', 0],
  ])('%s waits %s seconds', (prefer, seconds) => {
    expect(waitSeconds(prefer)).toBe(seconds);
  });

  it('does not wait if the header is absent', () => {
    expect(waitSeconds(undefined)).toBe(0);
  });
});
