import { createParamDecorator } from '@nestjs/common';
import { callerOf } from './jwt.guard.js';

/** The caller, as the first argument of a handler. */
export const CurrentCaller = createParamDecorator((_: unknown, context) => callerOf(context));
