import { Reflector } from '@nestjs/core';

/** A handler that opens its own transactions, because part of its work must survive an error (an attempt counter). */
export const OwnTransactions = Reflector.createDecorator<true>();

/** A handler with transactions of its own that only read, so that nothing would have to be rolled back. */
export const OnlyReads = Reflector.createDecorator<true>();

/**
 * The collection in which a created entity is read (`/webhooks/:id/deliveries`), if that is not the path of the
 * operation; null if it cannot be read.
 */
export const CreatedIn = Reflector.createDecorator<string | null>();

/** A handler that can create an entity and then returns `Created`. */
export const MayCreate = Reflector.createDecorator<true>();

/** A handler that writes its response to the reply in pieces (exports). */
export const Streams = Reflector.createDecorator<true>();

/** Limits of the transaction of a handler that does the work of many requests, besides BATCH_SECONDS. */
export interface TransactionBounds {
  /** The number of attempts after conflicts. */
  tries: number;
  /** Whether the body asks for a separate transaction per request. */
  opensOwn: (body: unknown) => boolean;
}

export const BoundedTransaction = Reflector.createDecorator<TransactionBounds>();

/** A handler that can leave its work to workers and answer 202. */
export const MayBeAsynchronous = Reflector.createDecorator<true>();

/** A handler, or all of a controller, that rejects `dry_run=true` although it writes in one transaction. */
export const WithoutDryRun = Reflector.createDecorator<true>();

/** Properties of the response, or of each entity of a list in it, that are secrets: never cached, and null in a repeated response. */
export const SecretProperties = Reflector.createDecorator<string[]>();
