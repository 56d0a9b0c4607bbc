/** Parses a time and limits it to the present. */
export function pastOf(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(Math.min(Date.parse(time), Date.now()));
}
