/** A value of JSON as one of a query string; undefined if it has no such form. */
export function queryForm(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isInteger(value)) return String(value);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? value.join(',') : undefined;
}
