/** The text as character data or as a value of an attribute; noncharacters are not allowed in XML. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
