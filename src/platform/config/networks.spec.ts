import { isNetwork } from './networks.js';

describe('a network', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '192.0.2.7/32', '::1', 'fd00::/8', '::ffff:10.0.0.1'])('is %s', (value) => {
    expect(isNetwork(value)).toBe(true);
  });

  it.each([
    '',
    'proxy',
    '10.0.0',
    '10.0.0.1/',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
  ])('is not "%s"', (value) => {
    expect(isNetwork(value)).toBe(false);
  });
});
