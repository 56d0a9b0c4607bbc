import { Injectable } from '@nestjs/common';
import { UserTurns } from '../../access/user-turns.js';

/** Limits simultaneous uploads, because each may take 30 seconds and holds a database connection. */
@Injectable()
export class ImportTurns extends UserTurns {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 10, waitingPerUser: 1 });
  }
}
