import { Reflector } from '@nestjs/core';

/** A handler that opens its transactions itself, because something in it must survive a refusal (an attempt counter). */
export const OwnTransactions = Reflector.createDecorator<true>();

/** A handler that may create a thing, which it then says by answering with `Created`. */
export const MayCreate = Reflector.createDecorator<true>();

/** A handler that writes its answer to the reply itself, piece by piece (exports). */
export const Streams = Reflector.createDecorator<true>();

/** Bounds of the transaction of a handler that does the work of many requests. */
interface TransactionBounds {
  seconds: number;
  /** How often it is begun where others are in its way. */
  tries: number;
  /** Whether the body asks for as many transactions as there are requests instead. */
  opensOwn: (body: unknown) => boolean;
}

export const BoundedTransaction = Reflector.createDecorator<TransactionBounds>();

/** A handler that can leave its work to the workers and answer 202. */
export const MayAnswerLater = Reflector.createDecorator<true>();

/** A handler, or all of a controller, that takes no `dry_run=true` although it writes in one transaction. */
export const WithoutDryRun = Reflector.createDecorator<true>();

/** Properties of the answer that are secrets: never cached, and null in what an idempotency key repeats. */
export const SecretProperties = Reflector.createDecorator<string[]>();
