import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerMalformedRequest } from './broken-requests.js';

/** The server's side of a connection on which a malformed or late request has arrived. */
class BrokenConnection {
  readonly stream = new Duplex({ read: () => undefined, write: (_, __, done) => done() });

  fail(code: string): void {
    answerMalformedRequest(Object.assign(new Error(code), { code }), this.stream as unknown as Socket);
  }
}

describe('broken requests', () => {
  it('are answered ten per turn of the event loop, however many Node reports at once', async () => {
    const connections = Array.from({ length: 25 }, () => new BrokenConnection());
    for (const broken of connections) broken.fail('ERR_HTTP_REQUEST_TIMEOUT');
    const answered: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      answered.push(connections.filter(({ stream }) => stream.writableEnded).length);
      await nextTurn();
    }
    expect(answered).toEqual([0, 10, 20, 25]);
  });

  it('are answered once, even if Node reports another error before', async () => {
    const broken = new BrokenConnection();
    broken.fail('HPE_HEADER_OVERFLOW');
    broken.fail('HPE_INVALID_METHOD');
    const written = jest.spyOn(broken.stream, 'end');
    await nextTurn();
    await nextTurn();
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^HTTP\/1\.1 431 /)]]);
  });

  it('are read for another second before the connection is closed, so that the response is not lost', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const broken = new BrokenConnection();
    broken.fail('HPE_HEADER_OVERFLOW');
    await nextTurn();
    await nextTurn();
    expect(broken.stream.readableFlowing).toBe(true);
    jest.advanceTimersByTime(999);
    expect(broken.stream.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(broken.stream.destroyed).toBe(true);
    jest.useRealTimers();
  });

  it('are not answered if the client has closed the connection', async () => {
    const broken = new BrokenConnection();
    broken.fail('ECONNRESET');
    await nextTurn();
    expect(broken.stream.destroyed).toBe(false);
  });
});
