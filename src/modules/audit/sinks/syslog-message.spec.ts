import { hostname } from 'node:os';
import { AUDIT_ACTIONS } from '../../../common/audit.js';
import { syslogFrame } from './syslog-message.js';

const entry = { position: 7, occurredAt: new Date('2026-11-27T10:00:00.125Z'), action: 'sign_in.failed' };
const frameOf = (value: object): string => syslogFrame({ ...entry, line: JSON.stringify(value) });

describe('an entry as syslog', () => {
  it('has the header of RFC 5424 and its length before it', () => {
    const message = `<110>1 2026-11-27T10:00:00.125Z ${hostname()} worksmith ${process.pid} sign_in.failed - {"count":1}`;
    expect(frameOf({ count: 1 })).toBe(`${message.length} ${message}`);
  });

  it('consists of ASCII, so that characters and bytes are the same number', () => {
    const value = { user_agent: 'Käse 🧀\u2028' };
    const frame = frameOf(value);
    expect(frame).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(frame.slice(frame.indexOf('{')))).toEqual(value);
  });

  it.each(AUDIT_ACTIONS)('has %s as the id of the message, which is not too long', (action) => {
    expect(action).toMatch(/^[\u0021-\u007e]{1,32}$/);
  });
});
