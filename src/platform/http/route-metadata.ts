import { Reflector } from '@nestjs/core';

/** A handler that opens its transactions itself, because something in it must survive a refusal (an attempt counter). */
export const OwnTransactions = Reflector.createDecorator<true>();

/** A handler that writes its answer to the reply itself, piece by piece (exports). */
export const Streams = Reflector.createDecorator<true>();

/** Properties of the answer that are secrets: never cached, and null in what an idempotency key repeats. */
export const SecretProperties = Reflector.createDecorator<string[]>();
