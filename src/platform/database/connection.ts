/** Where PostgreSQL answers: a URL, or the parts of one (a host that starts with `/` is a socket directory). */
export type Connection =
  { url: string } | { host: string; port: number; user: string; password?: string; database: string };
