/** What is closed on shutdown, in reverse order of opening. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private readonly farewells: (() => void)[] = [];
  private starting: Promise<unknown> = Promise.resolve();
  private ending: Promise<void> | undefined;

  constructor(
    private readonly report: (problem: unknown) => void,
    private readonly exit: (code: number) => void,
  ) {}

  /** Ends the process on signals and on uncaught errors. */
  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => (this.ending === undefined ? void this.end(0) : this.exit(1)));
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (problem: unknown) => {
        this.report(problem);
        void this.end(1);
      });
    }
  }

  /** A start that is interrupted is finished first: otherwise, what it opens meanwhile would stay open. */
  during<T>(start: Promise<T>): Promise<T> {
    this.starting = start;
    return start;
  }

  /** Remembers how to close what was just opened. */
  opened(close: () => Promise<void>): void {
    this.steps.push(close);
  }

  /** Says, once everything is closed, that it is. */
  ended(tell: () => void): void {
    this.farewells.push(tell);
  }

  /** Closes everything, once, and ends the process. */
  end(code: number): Promise<void> {
    this.ending ??= this.close().then(() => this.exit(code));
    return this.ending;
  }

  private async close(): Promise<void> {
    await this.starting.catch(() => undefined);
    for (const close of this.steps.toReversed()) await close().catch(this.report);
    for (const tell of this.farewells) tell();
  }
}
