import { readFileSync } from 'node:fs';
import { SyslogSink } from '../../src/modules/audit/sinks/syslog-sink.js';
import { SyslogReceiver } from '../support/syslog-receiver.js';

/** A certificate for localhost and 127.0.0.1 that signs itself, and its key. */
const PEM = readFileSync('test/support/localhost.pem', 'utf8');

const entry = (position: number) => ({
  position,
  occurredAt: new Date('2026-11-27T10:00:00Z'),
  action: 'session.created',
  line: JSON.stringify({ position }),
});

describe('syslog over TLS', () => {
  let receiver: SyslogReceiver;

  beforeAll(async () => {
    receiver = await SyslogReceiver.open({ cert: PEM, key: PEM });
  });
  afterAll(() => receiver.close());

  it.each(['localhost', '127.0.0.1'])('is read to its end by %s', async (host) => {
    receiver.received.length = 0;
    await new SyslogSink(`syslog+tls://${host}:${receiver.port}`, { ca: PEM }).send([entry(1), entry(2)]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.messages.map((message) => message.slice(message.indexOf('{')))).toEqual([
      '{"position":1}',
      '{"position":2}',
    ]);
  });

  it('sends nothing to a receiver whose certificate nobody trusts', async () => {
    receiver.received.length = 0;
    const sink = new SyslogSink(`syslog+tls://localhost:${receiver.port}`);
    await expect(sink.send([entry(1)])).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(receiver.messages).toEqual([]);
  });

  it('says that nobody listens', async () => {
    const closed = await SyslogReceiver.open();
    const { port } = closed;
    await closed.close();
    const sink = new SyslogSink(`syslog+tls://127.0.0.1:${port}`, { ca: PEM });
    await expect(sink.send([entry(1)])).rejects.toThrow('ECONNREFUSED');
  });
});
