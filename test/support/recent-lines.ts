const MAX_LINES = 5_000;

/** Keeps the latest log lines in memory, so that a failed test can show those of its requests. */
export class RecentLines {
  private readonly lines: string[] = [];

  /** The stream interface that pino writes to. */
  write(line: string): void {
    this.lines.push(line);
    if (this.lines.length > 2 * MAX_LINES) this.lines.splice(0, MAX_LINES);
  }

  containing(text: string): string[] {
    return this.lines.filter((line) => line.includes(text));
  }
}
