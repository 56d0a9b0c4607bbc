import { AsyncLocalStorage } from 'node:async_hooks';

/** The values of the current asynchronous context, by their positions. */
const storage = new AsyncLocalStorage<readonly unknown[]>();
let positions = 0;

/**
 * A value of the current asynchronous context, such as its request, its transaction or its span. All of them share one
 * storage, because Node copies the value of each storage that was ever used to every promise of the process.
 */
export class Ambient<T> {
  private readonly position = positions++;

  /** The value of the current context; undefined outside of {@link run}. */
  getStore(): T | undefined {
    return storage.getStore()?.[this.position] as T | undefined;
  }

  /** Runs the work, and all that it starts, with the value. */
  run<R>(value: T | undefined, work: () => R): R {
    const values = [...(storage.getStore() ?? [])];
    values[this.position] = value;
    return storage.run(values, work);
  }

  /** Runs the work, and all that it starts, without a value. */
  exit<R>(work: () => R): R {
    return this.getStore() === undefined ? work() : this.run(undefined, work);
  }
}
