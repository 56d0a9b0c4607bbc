import { mailName } from './mail-name.js';

describe('a name in a mail', () => {
  it.each([
    ['Ann Archer', 'Ann Archer'],
    ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ["Zoë O'Neill-Çelik (IT/Ops)", "Zoë O'Neill-Çelik (IT/Ops)"],
    ['Click https://evil.example/pay now', 'Click https evil. example/pay now'],
    ['www.evil.example', 'www. evil. example'],
    ['pay@evil.example', 'pay evil. example'],
    ['mailto:pay', 'mailto pay'],
    ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil. example'],
    ['evil。example', 'evil。 example'],
    ['ev\u200bil.ex\u202eample', 'evil. example'],
    ['Ann\r\nBcc: all\tof\u2028you', 'Ann Bcc all of you'],
    ['', ''],
  ])('%j becomes %j', (name, expected) => expect(mailName(name)).toBe(expected));

  it('has at most 60 characters', () => {
    expect(mailName('ä'.repeat(60))).toBe('ä'.repeat(60));
    expect([...mailName('😀'.repeat(500))]).toHaveLength(60);
    expect([...mailName('a.'.repeat(10_000))]).toHaveLength(60);
  });
});
