import { composeMail } from './compose-mail.js';
import { MAIL_KINDS } from './mail-kinds.js';

describe('the texts of mails', () => {
  const values = {
    name: 'Zoë <i>',
    url: 'https://work.example.test',
    code: 'abc-def-ghi',
    token: 'a-token',
    minutes: 15,
    inviter: 'Ann',
    place: 'R&D\r\nBcc: x@example.test',
    provider: 'Company <i>\r\nBcc: x@example.test',
    person: 'Olga <i>',
    token_name: 'Directory <i>',
    expires: '2026-11-27',
    date: '2026-12-10',
    path: '/api/v1/organizations/org_1/erasure',
    target: 'Shell',
    target_id: 'org_2',
    new_email: 'new@example.test',
    sender: 'Bob',
    subject: 'News',
    items: 'Fell the oak: comment',
    count: 3,
    domain: 'example.com',
    record: 'worksmith-verification=a-token',
    days: '6',
    content: 'One\n<script>alert(1)</script>',
  };

  it.each(MAIL_KINDS)('exist for %s in four languages, with values inserted and escaped', (kind) => {
    const mails = ['en', 'de', 'fr-CH', 'ES'].map((lang) => composeMail(kind, lang, values));
    expect(new Set(mails.map(({ text }) => text)).size).toBe(4);
    for (const { subject, text, html } of mails) {
      expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}/);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(text).toContain('https://work.example.test');
      expect(html).not.toMatch(/<script|<i>/);
    }
    expect(composeMail(kind, 'ja', values)).toEqual(mails[0]);
    expect(composeMail(kind, '__proto__', values)).toEqual(mails[0]);
  });

  it('are not composed if a value is missing', () => {
    expect(() => composeMail('verification', 'en', { name: 'Ann' })).toThrow('has no value for code');
  });
});
