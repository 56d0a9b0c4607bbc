import { Injectable } from '@nestjs/common';
import { UserTurns } from '../../access/user-turns.js';

/** One user's batches wait for each other, and all together leave most connections to others. */
@Injectable()
export class BatchTurns extends UserTurns {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 100, waitingPerUser: 5 });
  }
}
