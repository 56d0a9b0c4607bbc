/** Escapes the text as character data or attribute value; XML does not allow noncharacters. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
