import { Injectable } from '@nestjs/common';

/** What time it is, for everything that waits for a time; tests put another one in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
