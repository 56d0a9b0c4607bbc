import type { Context } from 'oidc-provider';
import { preferredLanguage, type MailLanguage } from '../../platform/mail/languages.js';
import { PAGE_POLICY } from './page-policy.js';

const TEXTS: Readonly<Record<MailLanguage, string>> = {
  en: 'The request of the program is not valid. Go back to the program, and begin again.',
  de: 'Die Anfrage des Programms ist ungültig. Kehren Sie zum Programm zurück und beginnen Sie noch einmal.',
  fr: 'La demande du programme n’est pas valable. Retournez au programme et recommencez.',
  es: 'La solicitud del programa no es válida. Vuelva al programa y empiece de nuevo.',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Tells a person that a request cannot be answered to its program, because it names no valid one or no valid address. */
export function renderFault(context: Context, fault: { error: string; error_description?: string }): void {
  const language = preferredLanguage(context.get('accept-language'));
  const { error, error_description: description } = fault;
  const detail = escaped([error, description].filter(Boolean).join(': '));
  context.set('content-security-policy', PAGE_POLICY);
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Worksmith</title>
    <link rel="stylesheet" href="../docs/explorer.css" />
  </head>
  <body>
    <main>
      <p class="notice" role="alert">${TEXTS[language]}</p>
      <p class="notice"><small>${detail}</small></p>
    </main>
  </body>
</html>
`;
}
