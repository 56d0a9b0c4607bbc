/** Escapes the text as character data or attribute value; replaces noncharacters, which XML does not allow. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
