/** What the pages for consent may do: they load from this origin only, and no page can contain them. */
export const PAGE_POLICY =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src data:; " +
  "script-src 'self'; style-src 'self'";
