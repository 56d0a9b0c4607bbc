import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerBroken } from './broken-requests.js';

/** The end of a connection on which something has arrived that is not a request, or too late. */
class Broken {
  readonly stream = new Duplex({ read: () => undefined, write: (_, __, done) => done() });

  tellOf(code: string): void {
    answerBroken(Object.assign(new Error(code), { code }), this.stream as unknown as Socket);
  }
}

describe('connections on which nothing becomes a request', () => {
  it('are answered ten per turn of the event loop, however many Node reports at once', async () => {
    const late = Array.from({ length: 25 }, () => new Broken());
    for (const broken of late) broken.tellOf('ERR_HTTP_REQUEST_TIMEOUT');
    const answered: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      answered.push(late.filter(({ stream }) => stream.writableEnded).length);
      await nextTurn();
    }
    expect(answered).toEqual([0, 10, 20, 25]);
  });

  it('are answered once, also if more arrives until then', async () => {
    const broken = new Broken();
    broken.tellOf('HPE_HEADER_OVERFLOW');
    broken.tellOf('HPE_INVALID_METHOD');
    const written = jest.spyOn(broken.stream, 'end');
    await nextTurn();
    await nextTurn();
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^HTTP\/1\.1 431 /)]]);
  });

  it('are read on for a second and then cut off, so that the answer is not lost', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const broken = new Broken();
    broken.tellOf('HPE_HEADER_OVERFLOW');
    await nextTurn();
    await nextTurn();
    expect(broken.stream.readableFlowing).toBe(true);
    jest.advanceTimersByTime(999);
    expect(broken.stream.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(broken.stream.destroyed).toBe(true);
    jest.useRealTimers();
  });

  it('are not answered where the client has hung up', async () => {
    const broken = new Broken();
    broken.tellOf('ECONNRESET');
    await nextTurn();
    expect(broken.stream.destroyed).toBe(false);
  });
});
