/** What stays of the address of a receiver when its path or its headers get a new key. */
export function sinkTarget(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
