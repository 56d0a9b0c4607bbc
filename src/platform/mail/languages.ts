/** The languages that mails can be written in; the first is the default. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The mail language for a BCP 47 tag. */
export function mailLanguageOf(tag: string): MailLanguage {
  return known(tag) ?? MAIL_LANGUAGES[0];
}

/** The mail language that an `Accept-Language` header prefers, by its q-values. */
export function preferredLanguage(header = ''): MailLanguage {
  const accepted = header.split(',').map((item) => {
    const [tag, ...parameters] = item.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: known(tag), q: q === undefined ? 1 : Number(q) };
  });
  const [best] = accepted.filter(({ language, q }) => language !== undefined && q > 0).sort((a, b) => b.q - a.q);
  return best?.language ?? MAIL_LANGUAGES[0];
}

function known(tag: string): MailLanguage | undefined {
  const primary = tag.toLowerCase().split('-')[0];
  return MAIL_LANGUAGES.find((language) => language === primary);
}
