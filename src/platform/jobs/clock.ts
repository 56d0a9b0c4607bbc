import { Injectable } from '@nestjs/common';

/** Provides the current time to everything that waits for a time; tests replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
