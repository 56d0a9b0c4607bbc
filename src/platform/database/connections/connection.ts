/** How to connect to PostgreSQL: a URL or its parts. A host that starts with `/` is a directory of Unix sockets. */
export type Connection =
  { url: string } | { host: string; port: number; user: string; password?: string; database: string };
