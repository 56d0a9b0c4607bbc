/** Closes everything that the start opened, in reverse order, and ends the process. */
export class Shutdown {
  private readonly closers: (() => Promise<void>)[] = [];
  private readonly listeners: (() => void)[] = [];
  private starting: Promise<unknown> = Promise.resolve();
  private ending: Promise<void> | undefined;

  constructor(
    private readonly report: (problem: unknown) => void,
    private readonly exit: (code: number) => void,
  ) {}

  /**
   * Ends the process on signals and on uncaught errors. SIGHUP means that the terminal was closed; without a terminal it
   * asks to reload the settings.
   */
  listen({ hasTerminal, reload }: { hasTerminal: boolean; reload: () => void }): void {
    const stop = () => (this.ending === undefined ? void this.end(0) : this.exit(1));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
    // The second signal of a closed terminal comes from npm, which passes its own on.
    process.on('SIGHUP', hasTerminal ? () => void this.end(0) : reload);
    // What is written to a closed terminal is lost.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (problem: unknown) => {
        this.report(problem);
        void this.end(1);
      });
    }
  }

  /** Registers the start. Shutdown waits for it, because everything that it opens must be closed. */
  during<T>(start: Promise<T>): Promise<T> {
    this.starting = start;
    return start;
  }

  /** Registers how to close something that was just opened. */
  opened(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  /** Registers a listener that is called when everything is closed. */
  onEnd(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Closes everything, once, and ends the process. */
  end(code: number): Promise<void> {
    this.ending ??= this.close().then(() => this.exit(code));
    return this.ending;
  }

  private async close(): Promise<void> {
    await this.starting.catch(() => undefined);
    for (const close of this.closers.toReversed()) await close().catch(this.report);
    for (const listener of this.listeners) listener();
  }
}
