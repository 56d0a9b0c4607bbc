import { assertGoodPassword } from './password.rules.js';

const judge = (password: string, owner = {}) => {
  try {
    assertGoodPassword('password', password, owner);
    return 'accepted';
  } catch (error) {
    return (error as { details: { fields: { code: string }[] } }).details.fields[0].code;
  }
};

describe('a new password', () => {
  it.each([
    ['a common one', 'qwerty123456'],
    ['a common one in capitals', 'QWERTY123456'],
    ['one character repeated', 'aaaaaaaaaaaa'],
    ['one character repeated for long', '-'.repeat(128)],
    ['a common one with digits behind it', 'iloveyou1234'],
    ['a common one with a year behind it', 'Password2026'],
    ['a common number with digits behind it', '123456789012'],
    ['a short piece repeated', 'xk4xk4xk4xk4'],
    ['a longer piece twice', 'vm3rt9vm3rt9'],
    ['a piece repeated whose end is cut off', 'vm3rtvm3rtvm3'],
  ])('must not be %s', (_, password) => expect(judge(password)).toBe('invalid_value'));

  it.each([
    ['words', 'two wooden ladders'],
    ['words with digits behind them', 'two wooden ladders 24'],
    ['random digits', '849302756183'],
    ['random characters', 'xV9-kQ2$mN7!'],
    ['characters of another script', 'три деревянные лестницы'],
    ['a long sentence twice', 'two wooden ladders two wooden ladders '],
  ])('may be %s', (_, password) => expect(judge(password)).toBe('accepted'));

  it('must not be the e-mail address or name of its owner', () => {
    const owner = { email: 'benjamin.bigg@example.test', name: 'Benjamin Bigg' };
    expect(judge('Benjamin Bigg', owner)).toBe('invalid_value');
    expect(judge('benjamin.bigg', owner)).toBe('invalid_value');
    expect(judge('benjamin.bigg@example.test', owner)).toBe('invalid_value');
  });
});
